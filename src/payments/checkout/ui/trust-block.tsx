import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import type { PaymentMethod } from "../contract.ts";
import type { Payee } from "./words.ts";

/** Who is paid and whom to contact, beside the pay button. */
export function TrustBlock({ payee, method }: { payee: Payee; method: PaymentMethod }) {
  const { name, abn, phone, email } = payee;
  return (
    <div className="trust small">
      <p>
        Paid to <b>{name}</b>
        {abn !== "" && (
          <>
            , ABN <span className="num">{abn}</span>
          </>
        )}
        .{" "}
        {method === "cc"
          ? "Your card details go straight to the bank, never to us."
          : "You log in and pay at PayPal: we never see your password or your card."}
      </p>
      <p>
        Questions before you pay? Call <a href={telephoneLink(phone)}>{phone}</a>. For a refund, email{" "}
        <a href={`mailto:${email}`}>{email}</a>.
      </p>
      <LegalNote pays />
    </div>
  );
}

/** Whom to contact, below a payment's outcome. */
export function Contact({ payee: { phone, email } }: { payee: Payee }) {
  return (
    <p className="small muted contact">
      Questions? Call <a href={telephoneLink(phone)}>{phone}</a> or email <a href={`mailto:${email}`}>{email}</a>.
    </p>
  );
}

/** The entry on the charity register; `badge` is the address of its picture. */
export type CharityRegistration = Organisation["registration"] & { readonly badge?: string | null };

/** The charity register entry, beside the total. */
export function Seal({ registration: { url, label, badge } }: { registration: CharityRegistration }) {
  return (
    <div className="seal">
      {badge && <img src={badge} alt="" width="56" height="56" />}
      <p className="small muted">
        <a href={url}>{label}</a>
      </p>
    </div>
  );
}
