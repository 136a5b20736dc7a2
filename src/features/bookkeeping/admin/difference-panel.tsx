import { hasRight } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, TextArea } from "#admin/ui/form.tsx";
import { Status } from "#admin/ui/status.tsx";
import { formatDollars } from "#shared/language.ts";
import type { Difference } from "../server/findings.ts";
import type { ReversalForm } from "../server/reversals.ts";
import type { ForeignChargeFacts } from "../server/take-in.ts";
import { ReverseForm } from "./reverse-form.tsx";
import { shortTime } from "./shown-times.ts";
import { SubjectLink } from "./subject-link.tsx";
import { TakeInForm } from "./take-in-form.tsx";

/** One difference: what the provider has and what we have, what to do, and the form that closes it. */
export function DifferencePanel({
  difference,
  foreign,
  reversal,
  mayChange,
  request,
}: {
  difference: Difference;
  /** Set if it is an open charge that can be taken in. */
  foreign: ForeignChargeFacts | undefined;
  /** Set if it is an open payment that can be reversed. */
  reversal: ReversalForm | undefined;
  mayChange: boolean;
  request: ScreenRequest;
}) {
  const { id, title, text, advice, closed, endedAt, foundAt } = difference;
  const isOpen = endedAt === null;
  return (
    <article className="panel" id={`difference-${id}`} aria-labelledby={`difference-${id}-title`}>
      <div className="sec-h">
        <h3 id={`difference-${id}-title`}>{title}</h3>
        <Status look={isOpen ? "warn" : "ok"}>{isOpen ? "Open" : closed === null ? "Put right" : "Closed"}</Status>
      </div>
      <p>{text}</p>
      <Sides difference={difference} closest={foreign?.closest ?? null} />
      {isOpen && mayChange && (
        <p>
          <b>What to do:</b> {advice}
        </p>
      )}
      {closed !== null && endedAt !== null && (
        <p>
          <bdi>{closed.by}</bdi> closed it on {shortTime(endedAt)}: “<bdi>{closed.reason}</bdi>”
        </p>
      )}
      <p className="small muted">
        Found on {shortTime(foundAt)}
        {endedAt !== null && closed === null && <>, put right by {shortTime(endedAt)}</>}
      </p>
      {isOpen && mayChange && foreign !== undefined && (
        <TakeInForm difference={difference} causes={foreign.causes} request={request} />
      )}
      {isOpen && reversal !== undefined && request.staff !== null && hasRight(request.staff, "refunds.make") && (
        <ReverseForm difference={difference} form={reversal} request={request} />
      )}
      {isOpen && mayChange && <CloseForm difference={difference} request={request} />}
    </article>
  );
}

function describeSide(cents: number): string {
  if (cents === 0) return "Nothing";
  return cents > 0 ? formatDollars(cents) : `${formatDollars(-cents)} refunded`;
}

function Sides({ difference, closest }: { difference: Difference; closest: ForeignChargeFacts["closest"] }) {
  const { provider, theirsCents, oursCents, transaction, payment, of } = difference;
  return (
    <div className="two">
      <dl className="kv">
        <div>
          <dt>{provider} says</dt>
          <dd className="num">
            <b>{describeSide(theirsCents)}</b>
          </dd>
        </div>
        {transaction !== null && (
          <div>
            <dt>Transaction</dt>
            <dd className="num">
              <bdi>{transaction}</bdi>
            </dd>
          </div>
        )}
      </dl>
      <dl className="kv">
        <div>
          <dt>We say</dt>
          <dd className="num">
            <b>{describeSide(oursCents)}</b>
          </dd>
        </div>
        {payment !== null && (
          <div>
            <dt>Payment</dt>
            <dd>{payment}</dd>
          </div>
        )}
        {of !== null && (
          <div>
            <dt>{of.kind === "donation" ? "Donation" : "Ticket order"}</dt>
            <dd>
              <SubjectLink subject={of} />
            </dd>
          </div>
        )}
        {closest !== null && (
          <div>
            <dt>Closest gift</dt>
            <dd>
              <a href={`/admin/donations/${closest.id}`}>{closest.reference}</a>, {formatDollars(closest.cents)}, not
              paid, {shortTime(closest.at)}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

function CloseForm({ difference: { id, day, title }, request }: { difference: Difference; request: ScreenRequest }) {
  const action = `/admin/reconciliation/${day}/close/${id}`;
  return (
    <details open={request.form?.action === action}>
      <summary className="btn quiet">
        Close with a reason<span className="sr">: {title}</span>
      </summary>
      <ActionForm action={action} id={`close-${id}`} request={request}>
        <TextArea
          name="reason"
          label="Why it needs nothing more"
          hint="It stays closed while the amounts are the same. Our books do not change."
          rows={3}
          required
        />
        <div className="acts">
          <button className="btn" type="submit">
            Close this difference
          </button>
        </div>
      </ActionForm>
    </details>
  );
}
