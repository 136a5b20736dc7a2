import { useState } from "react";
import { BankChallenge } from "./bank-challenge.tsx";
import { PayByCard, type PayProps } from "./pay-by-card.tsx";
import { PayByPayPal } from "./pay-by-paypal.tsx";
import { awayMessage } from "./payment-methods.ts";
import { RefusalMessage } from "./refusal-message.tsx";

/** Where step 4 pays: the bank's question once it asks, else the chosen way, or why that cannot be used now. */
export function PaySection(props: Omit<PayProps, "onRefused">) {
  const { donation, checkout, priced } = props;
  const { verdict, method } = donation.flow;
  const [attempt, setAttempt] = useState(0);
  const sent = donation.sentBody.current;
  if (verdict?.kind === "challenge" && sent?.method === "PAYWAY") {
    return (
      <BankChallenge donation={donation} payway={checkout.payway} priced={priced} id={verdict.id} token={sent.token} />
    );
  }
  const away = awayMessage(method, checkout);
  if (away !== undefined) return <Away {...props} why={away} />;
  const Pay = method === "cc" ? PayByCard : PayByPayPal;
  return <Pay key={attempt} {...props} onRefused={() => setAttempt((count) => count + 1)} />;
}

function Away({ donation, why }: Pick<PayProps, "donation"> & { why: string }) {
  const { refusal, method } = donation.flow;
  return (
    <section className="block" aria-labelledby="pay-heading">
      <h2 id="pay-heading">{method === "cc" ? "Pay by card" : "Pay with PayPal"}</h2>
      {refusal === undefined ? <p>{why} Nothing was charged.</p> : <RefusalMessage donation={donation} />}
      <div className="form-actions">
        <button type="button" className="btn btn-quiet" onClick={donation.goBack}>
          Previous
        </button>
        {refusal === undefined && (
          <button type="button" className="btn" onClick={() => donation.change(3)}>
            Change payment method
          </button>
        )}
      </div>
    </section>
  );
}
