import { formatWhen } from "#admin/format-when.ts";
import { hasRight } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, TextArea } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { formatDollars, formatList } from "#shared/language.ts";
import { Outlook } from "./call-off-form.tsx";
import type { CallOffOfEvent } from "./call-off-part.ts";
import { sumRefunds } from "./call-off-words.ts";

type Asked = NonNullable<CallOffOfEvent["request"]>;
type DecisionProps = { readonly data: CallOffOfEvent; readonly asked: Asked; readonly request: ScreenRequest };

/** A request that waits: what happens if it is approved, and who decides. */
export function DecisionPanel({ data, asked, request }: DecisionProps) {
  const isMine = asked.requested_by === request.staff?.id;
  const mayDecide = !isMine && request.staff !== null && hasRight(request.staff, "refunds.make");
  const others = data.deciders
    .filter(({ id }) => id !== asked.requested_by && id !== request.staff?.id)
    .map(({ name }) => name);
  return (
    <div className="split">
      <div>
        <Outlook data={data} isAsked />
        <section className="sec" aria-labelledby="h-reason">
          <div className="sec-h">
            <h2 id="h-reason">The reason, as buyers read it</h2>
          </div>
          <blockquote dir="auto">{asked.reason}</blockquote>
        </section>
      </div>
      <section className="panel stack" aria-labelledby="h-decision">
        <h2 id="h-decision">Two people</h2>
        <p>
          {isMine ? <b>You</b> : <bdi>{asked.requester}</bdi>} asked to call it off on {formatWhen(asked.requested_at)}.
        </p>
        {others.length > 0 && (
          <p className="hint">
            {mayDecide ? "You can decide, or " : "This can be decided by "}
            <bdi>{formatList(others, "or")}</bdi>.
          </p>
        )}
        {isMine && <Withdraw data={data} asked={asked} request={request} hasOthers={others.length > 0} />}
        {mayDecide && <Decide data={data} asked={asked} request={request} />}
      </section>
    </div>
  );
}

const pathOf = ({ event }: CallOffOfEvent) => `/admin/events/${event.screenId}/call-off`;

function Withdraw({ data, asked, request, hasOthers }: DecisionProps & { readonly hasOthers: boolean }) {
  return (
    <div className="stack">
      <p className="hint">You asked for this, so someone else has to approve it.</p>
      {!hasOthers && (
        <Note look="warn" title="Nobody else may approve it">
          An administrator must invite another person, or give somebody a role that may make refunds.
        </Note>
      )}
      <ActionForm action={`${pathOf(data)}/withdraw`} id="withdraw" request={request}>
        <input type="hidden" name="request" value={asked.id} />
        <button className="btn quiet wide" type="submit">
          Withdraw the request
        </button>
      </ActionForm>
    </div>
  );
}

function Decide({ data, asked, request }: DecisionProps) {
  return (
    <div className="stack">
      <ActionForm action={`${pathOf(data)}/approve`} id="approve" request={request}>
        <input type="hidden" name="request" value={asked.id} />
        <button className="btn final wide" type="submit">
          Approve, and refund {formatDollars(sumRefunds(data.outlook))}
        </button>
      </ActionForm>
      <p className="hint">This cannot be undone.</p>
      <ActionForm action={`${pathOf(data)}/decline`} id="decline" request={request} className="stack">
        <input type="hidden" name="request" value={asked.id} />
        <TextArea name="why" label="Why not" hint="Whoever asked can read this." rows={2} />
        <button className="btn quiet wide" type="submit">
          Decline
        </button>
      </ActionForm>
    </div>
  );
}
