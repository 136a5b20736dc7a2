import type { PaymentMethod } from "#shared/checkout/contract.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import badge from "#shared/ui/identity/brand/badge-registered-charity-placeholder.svg?no-inline";
import type { Charity } from "./bank-card.tsx";

/** Who is paid and whom to ask, where money is about to move. */
export function TrustBlock({ organisation, method }: { organisation: Charity; method: PaymentMethod }) {
  const { name, abn, phone, email } = organisation;
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

export function Seal({ registration }: Pick<Charity, "registration">) {
  return (
    <div className="seal">
      <img src={badge} alt="" width="56" height="56" />
      <p className="small muted">
        <a href={registration.url}>{registration.label}</a>
      </p>
    </div>
  );
}
