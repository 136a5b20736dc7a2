import type { TicketOrder } from "../../contract.ts";
import { describeRefund } from "../../refunds.ts";

/** Every refund of an order, and how it stands (TIC-8). */
export function OrderRefunds({ refunds, now }: Pick<TicketOrder, "refunds" | "now">) {
  return (
    <ul className="refunds" aria-label="Refunds">
      {refunds.map((refund) => {
        const { title, detail } = describeRefund(refund, now);
        return (
          <li key={refund.id}>
            <b>{title}</b>
            <span>{detail}</span>
          </li>
        );
      })}
    </ul>
  );
}
