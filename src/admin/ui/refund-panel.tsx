import { formatDollars } from "#shared/language.ts";
import { listWaitingRefund, type RefundPanelData } from "../refund-panel.ts";
import { hasRight, type StaffMember } from "../rights.ts";
import { Status } from "./status.tsx";

/** In the head of what can be refunded: the refund that waits for approval, with its link. */
export function WaitingRefund({ data }: { data: RefundPanelData }) {
  return listWaitingRefund(data).map(({ key, path, text }) => (
    <a href={path} key={key}>
      <Status look="act">{text}</Status>
    </a>
  ));
}

/** On the page of what can be refunded: its refunds, and the way to another one. `reads.readRefundPanel` has the data. */
export function RefundPanel({ data, staff }: { data: RefundPanelData; staff: StaffMember }) {
  const { refunds, leftCents, refusal, path } = data;
  return (
    <section className="panel" aria-labelledby="h-refund">
      <h2 id="h-refund">Refund</h2>
      {refunds.map(({ id, amountCents, look, icon, label, text }) => (
        <div className="refund-entry" key={id}>
          <p>
            <a href={`/admin/refunds/${id}`}>
              <b className="tn">{formatDollars(amountCents)}</b>
            </a>{" "}
            <Status look={look} {...(icon && { icon })}>
              {label}
            </Status>
          </p>
          <p className="hint">{text}</p>
        </div>
      ))}
      {leftCents > 0 ? (
        <>
          <p>{formatDollars(leftCents)} can be refunded, in full or in part.</p>
          {hasRight(staff, "refunds.make") && (
            <p className="acts">
              <a className="btn danger" href={path}>
                Refund
              </a>
            </p>
          )}
        </>
      ) : (
        refusal !== null && <p className="hint">{refusal}</p>
      )}
    </section>
  );
}
