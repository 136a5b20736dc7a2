import type { PaymentMethod } from "#shared/checkout/contract.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import type { Payee } from "./words.ts";

/** Who is paid and whom to ask, where money is about to move. */
export function TrustBlock({ payee, method }: { payee: Payee; method: PaymentMethod }) {
  const { name, abn, phone, email } = payee;
  return (
    <div className="trust small">
      <p>
        Paid to <b>{name}</b>
        {abn !== "" && <>, ABN {abn}</>}.{" "}
        {method === "cc"
          ? "Your card details go straight to the bank, never to us."
          : "You log in and pay at PayPal: we never see your password or your card."}
      </p>
      <p>
        Questions before you pay? Call <a href={telephoneLink(phone)}>{phone}</a>. For a refund, email{" "}
        <a href={`mailto:${email}`}>{email}</a>.
      </p>
    </div>
  );
}

/** Whom to ask once it is known, or not yet known, what became of the money. */
export function Contact({ payee: { phone, email } }: { payee: Payee }) {
  return (
    <p className="small muted contact">
      Questions? Call <a href={telephoneLink(phone)}>{phone}</a> or email <a href={`mailto:${email}`}>{email}</a>.
    </p>
  );
}
