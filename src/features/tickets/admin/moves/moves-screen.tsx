import { formatWhen } from "#admin/format-when.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, TextArea } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { formatNumber, plural } from "#shared/language.ts";
import { describeTimeAndPlace } from "../../server/emails/moved-email.ts";
import { EventScreenHead, mayPlan } from "../ticket-types/types-screen.tsx";
import type { MovesOfEvent } from "./moves-part.ts";

/** `/admin/events/:id/moved`: tells the holders of tickets that the event has another time or place. */
export const movesScreen = screen<MovesOfEvent>({
  path: "/admin/events/:id/moved",
  right: "events.see",
  section: "events",
  load: ({ findMoves }, { params }) => findMoves(params.id!),
  title: ({ event }) => `Tell the holders of ${event.title}`,
  body: (data, request) => {
    const { event, untold, sent } = data;
    const isFormShown = untold !== null && untold.orders > 0 && mayPlan(request);
    return (
      <>
        <EventScreenHead event={event} here="moved" request={request} />
        <UnshownFormMessage request={request} shown={isFormShown ? ["moved"] : []} />
        {untold === null || (untold.orders === 0 && untold.withoutEmail.length === 0) ? (
          <Empty title="There is nothing to tell">
            <p>If you publish another time or place after tickets were sold, you can tell their holders here.</p>
          </Empty>
        ) : (
          <Tell data={data} untold={untold} request={request} />
        )}
        {sent.length > 0 && <Sent sent={sent} />}
      </>
    );
  },
});

type TellProps = {
  readonly data: MovesOfEvent;
  readonly untold: NonNullable<MovesOfEvent["untold"]>;
  readonly request: ScreenRequest;
};

function Tell({ data: { event, formId }, untold, request }: TellProps) {
  const path = `/admin/events/${event.screenId}/moved`;
  const people = plural(untold.people, { one: "1 person", other: `${formatNumber(untold.people)} people` });
  const emails = plural(untold.orders, { one: "1 email", other: `${formatNumber(untold.orders)} emails` });
  const rows = [
    ["Was", describeTimeAndPlace(untold.was)],
    ["Is now", describeTimeAndPlace(event)],
  ] as const;
  return (
    <>
      <dl className="kv">
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        {untold.withoutEmail.length > 0 && (
          <div>
            <dt>Without an email</dt>
            <dd>
              Tell them yourselves:{" "}
              {untold.withoutEmail.map(({ id, reference, name }, place) => (
                <span key={id}>
                  {place > 0 && ", "}
                  <a href={`/admin/orders/${id}`}>
                    <bdi>{name || reference}</bdi>
                  </a>
                </span>
              ))}
            </dd>
          </div>
        )}
        <div>
          <dt>Who is told</dt>
          <dd>
            {people} who bought before it moved: {emails}, one for each order. Each says the old time and place that the
            buyer knows. Whoever has cancelled by then gets none.
          </dd>
        </div>
      </dl>
      {mayPlan(request) && untold.orders > 0 && (
        <ActionForm action={path} id="moved" request={request} className="stack">
          <input type="hidden" name="form" value={request.form?.values.form?.[0] ?? formId} />
          <TextArea name="note" label="What you want to add" hint="For example why it moves." rows={3} isOptional />
          <p className="acts">
            <button className="btn quiet" type="submit" formAction={`${path}/preview`} formTarget="_blank">
              <Icon name="ext" />
              See the whole email
            </button>
            <button className="btn" type="submit">
              Send it to {people}
            </button>
          </p>
        </ActionForm>
      )}
    </>
  );
}

function Sent({ sent }: Pick<MovesOfEvent, "sent">) {
  return (
    <section className="sec" aria-labelledby="h-sent">
      <div className="sec-h">
        <h2 id="h-sent">Sent</h2>
      </div>
      <ul>
        {sent.map(({ id, name, sent_at, note }) => (
          <li key={id}>
            <bdi>{name}</bdi> told the holders on {formatWhen(sent_at)}.{note !== "" && <q dir="auto">{note}</q>}
          </li>
        ))}
      </ul>
    </section>
  );
}
