import type { ReactNode } from "react";
import { formatDollars, keepTogether } from "#shared/language.ts";
import type { TicketEvent } from "../../contract.ts";
import { formatPrice, totalCents } from "../../order.ts";
import { type CheckoutFlow, isResult, isUnderWay } from "./checkout-flow.ts";
import { DiscountCode } from "./discount-code.tsx";

/** The order beside the form: lines, total, and how long the seats are held. */
export function OrderSummary({ flow, offer, choicePath, onCode, children }: OrderSummaryProps) {
  const { order } = flow;
  const lines = order?.lines ?? describeLines(flow.lines, offer);
  const total = order?.totalCents ?? totalCents(flow.lines, offer.types);
  const mayChange = !isUnderWay(flow) && !isResult(flow);
  return (
    <aside className={flow.verdict === undefined ? "flow-aside total" : "flow-aside"} aria-label="Your order">
      <section className="slip" aria-labelledby="order-heading">
        <h2 id="order-heading">Your order</h2>
        <p className="small muted order-event">
          <b>{offer.title}</b>
          <span>{keepTogether(offer.when)}</span>
          <span>{offer.place}</span>
        </p>
        {lines === null ? (
          <p className="small">Your tickets and their price show here once the seats are held.</p>
        ) : (
          <dl>
            {lines.map(({ type, title, quantity, priceCents }) => (
              <div key={type}>
                <dt>
                  {quantity} × {title}
                  {priceCents > 0 && <span className="muted small"> at {formatDollars(priceCents)}</span>}
                </dt>
                <dd>{formatPrice(quantity * priceCents)}</dd>
              </div>
            ))}
            {order?.discount != null && (
              <div>
                <dt>
                  Code <b className="code">{order.discount.code}</b>
                </dt>
                <dd>{formatDollars(-order.discount.cents)}</dd>
              </div>
            )}
            <div className="total">
              <dt>Total AUD</dt>
              <dd>{formatDollars(total)}</dd>
            </div>
          </dl>
        )}
        <p className="small muted">No fees are added.</p>
        {mayChange && flow.isHeld && offer.hasCodes && <DiscountCode flow={flow} onApply={onCode} />}
        {mayChange && (
          <p>
            <a href={choicePath}>Change tickets</a>
          </p>
        )}
        {children}
      </section>
    </aside>
  );
}

type OrderSummaryProps = {
  readonly flow: CheckoutFlow;
  readonly offer: TicketEvent;
  readonly choicePath: string;
  /** Undefined takes the code off. */
  readonly onCode: (code: string | undefined) => unknown;
  /** Shown at the end. */
  readonly children?: ReactNode;
};

/** Before the seats are held. Null if a type is none of those that everybody sees: only its holder learns the price. */
function describeLines(lines: CheckoutFlow["lines"], { types }: TicketEvent) {
  const described = lines.flatMap((line) => {
    const type = types.find(({ code }) => code === line.type);
    return type === undefined ? [] : [{ ...line, title: type.title, priceCents: type.priceCents }];
  });
  return described.length === lines.length ? described : null;
}
