import { formatWhen } from "#admin/format-when.ts";
import { hasRight } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import { Note } from "#admin/ui/note.tsx";
import { explainRefusal } from "#payments/refunds/explain-refusal.ts";
import { formatDollars, formatNumber, plural } from "#shared/language.ts";
import type { CallOffProgress, UnrefundedOrder } from "../../server/call-off/call-off-figures.ts";
import { buyerName } from "../orders/order-words.ts";
import type { CallOffOfEvent } from "./call-off-part.ts";

type Asked = NonNullable<CallOffOfEvent["request"]>;
type ProgressProps = { readonly data: CallOffOfEvent; readonly asked: Asked; readonly request: ScreenRequest };

/** An event that is called off: who decided that, how far the refunds are, and what needs somebody. */
export function CalledOff({ data, asked, request }: ProgressProps) {
  const { progress, unrefunded, taken, event } = data;
  return (
    <>
      <Note look={asked.finished_at === null ? "info" : "ok"} title="This event has been called off">
        <p>
          <bdi>{asked.requester}</bdi> asked for it on {formatWhen(asked.requested_at)}, and <bdi>{asked.decider}</bdi>{" "}
          approved it on {formatWhen(asked.decided_at!)}.{" "}
          {asked.finished_at === null
            ? "Orders are being cancelled now. Reload this screen to see how far it is."
            : "Every order is cancelled, and each buyer whose email address we have gets one email."}
        </p>
        <p dir="auto">“{asked.reason}”</p>
      </Note>
      <Figures progress={progress!} eventId={event.id} />
      {taken.length > 0 && <TakenAtDoor taken={taken} />}
      {unrefunded.length > 0 && <NeedSomebody data={data} request={request} />}
    </>
  );
}

function Figures({ progress, eventId }: { progress: CallOffProgress; eventId: number }) {
  const { waiting, refunded, underWay, needSomebody, free, undecided, refundedCents, underWayCents } = progress;
  const { takenOrders, takenCents } = progress;
  const figures = [
    ...(waiting > 0 ? [["Still to cancel", formatNumber(waiting)] as const] : []),
    ["Refunded", `${formatNumber(refunded)}, ${formatDollars(refundedCents)}`],
    ["On their way", `${formatNumber(underWay)}, ${formatDollars(underWayCents)}`],
    ["Need somebody", formatNumber(needSomebody)],
    ...(takenOrders > 0
      ? [["Taken at the door, to give back", `${formatNumber(takenOrders)}, ${formatDollars(takenCents)}`] as const]
      : []),
    ...(free > 0 ? [["Cost nothing", formatNumber(free)] as const] : []),
    ...(undecided > 0 ? [["Payments not known yet", formatNumber(undecided)] as const] : []),
  ] as const;
  return (
    <section className="sec" aria-labelledby="h-progress">
      <div className="sec-h">
        <h2 id="h-progress">Orders</h2>
        <a href={`/admin/orders?event=${eventId}`}>See its orders</a>
      </div>
      <dl className="sums">
        {figures.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** No provider can refund these: staff give the money back themselves. */
function TakenAtDoor({ taken }: Pick<CallOffOfEvent, "taken">) {
  return (
    <section className="sec" aria-labelledby="h-taken">
      <div className="sec-h">
        <div>
          <h2 id="h-taken">Taken at the door</h2>
          <p className="hint">Give this money back yourselves. No provider has it.</p>
        </div>
      </div>
      <ul className="lst">
        {taken.map(({ id, reference, name, email, takenCents }) => (
          <li key={id}>
            <span className="grow">
              <a href={`/admin/orders/${id}`}>
                <bdi>{name === "" && email === "" ? reference : buyerName(name, email)}</bdi>
              </a>
            </span>
            <span className="num">{formatDollars(takenCents)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NeedSomebody({ data, request }: Omit<ProgressProps, "asked">) {
  const { unrefunded, event } = data;
  const mayRetry = request.staff !== null && hasRight(request.staff, "refunds.make");
  return (
    <section className="sec" aria-labelledby="h-need">
      <div className="sec-h">
        <div>
          <h2 id="h-need">
            {plural(unrefunded.length, {
              one: "1 order needs somebody",
              other: `${formatNumber(unrefunded.length)} orders need somebody`,
            })}
          </h2>
          <p className="hint">
            The money of these orders has not gone back.
            {mayRetry && " Try again, or pay by hand: open the order, then its refund, and note it there."}
          </p>
        </div>
      </div>
      <div className="tw">
        <table className="cards">
          <caption className="sr">Orders whose money has not gone back, oldest first</caption>
          <thead>
            <tr>
              <th scope="col">Buyer</th>
              <th scope="col">Why</th>
              <th scope="col" className="num">
                To refund
              </th>
              {mayRetry && <th scope="col">What to do</th>}
            </tr>
          </thead>
          <tbody>
            {unrefunded.map((order) => (
              <Row
                order={order}
                path={mayRetry ? `/admin/events/${event.screenId}/call-off/retry` : null}
                key={order.id}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** `path`: where a retry is sent; null for those who may not. */
function Row({ order, path }: { order: UnrefundedOrder; path: string | null }) {
  const { id, reference, name, email, leftCents, isDisputed, provider, providerStatus } = order;
  return (
    <tr data-id={id}>
      <th scope="row" className="k-c">
        <a className="k" href={`/admin/orders/${id}`}>
          <bdi>{buyerName(name, email)}</bdi>
        </a>
        <span className="two-l tn">{reference}</span>
      </th>
      <td className="m-c">
        {isDisputed
          ? "The buyer disputes the payment. Until their bank has decided, a refund could pay the money back twice."
          : `The provider did not make the refund. ${providerStatus === null ? "" : explainRefusal(providerStatus, provider)}`}
      </td>
      <td className="num v-c">{formatDollars(leftCents)}</td>
      {path !== null && (
        <td>
          <form method="post" action={path}>
            <input type="hidden" name="order" value={id} />
            <button className="btn quiet" type="submit" disabled={isDisputed}>
              Refund again<span className="sr"> order {reference}</span>
            </button>
          </form>
        </td>
      )}
    </tr>
  );
}
