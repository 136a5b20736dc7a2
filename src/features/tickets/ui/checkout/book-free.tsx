import { useState } from "react";
import { Seal } from "#payments/checkout/ui/trust-block.tsx";
import { describeRefusal } from "#shared/ui/ask.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { useOneAtATime } from "#shared/ui/form-actions.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { missingOf } from "./missing-details.ts";
import type { PayPartProps } from "./pay-part.tsx";
import { bookTickets } from "./ticket-calls.ts";

/** In the place of the payment where an order costs nothing: one button. */
export function BookFree({ checkout, buyer, order, organisation }: PayPartProps) {
  const [fault, setFault] = useState("");
  const { isBusy, run } = useOneAtATime();
  const missing = missingOf(checkout, buyer);
  const book = async () => {
    if (missing !== undefined || buyer.buyer === undefined) {
      setFault(missing?.text ?? "");
      return missing?.show();
    }
    setFault("");
    const answer = await whileLoading(bookTickets(order.id, { ...buyer.buyer, key: order.key }));
    if (answer.ok) {
      checkout.finish({ id: order.id, key: order.key });
      return;
    }
    if (answer.error === "hold_lapsed") checkout.lapse();
    buyer.showFound(answer.fields ?? {});
    setFault(describeRefusal(answer));
  };
  return (
    <div className="block stack">
      <p>There is nothing to pay.</p>
      {fault !== "" && (
        <p className="err" role="alert">
          {fault}
        </p>
      )}
      <button type="button" className="btn btn-cta btn-lg" aria-disabled={isBusy} onClick={() => run(book)}>
        Book for free
      </button>
      <LegalNote books />
      <Seal registration={organisation.registration} />
    </div>
  );
}
