import { formatWhen } from "#admin/format-when.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { eventScreenPath } from "#admin/ui/event-views.tsx";
import { SavedFilters } from "#admin/ui/filters.tsx";
import { ActionForm, ChoiceField, TextArea, TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { Status } from "#admin/ui/status.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { formatNumber, plural } from "#shared/language.ts";
import type { HolderEmailKind } from "../../server/holder-emails/holder-emails.ts";
import { EventScreenHead, mayPlan } from "../ticket-types/types-screen.tsx";
import type { HolderEmailsOfEvent } from "./holder-emails-part.ts";

/** `/admin/events/:id/emails`: writes to the holders of an event's tickets. */
export const holderEmailsScreen = screen<HolderEmailsOfEvent>({
  path: "/admin/events/:id/emails",
  right: "events.see",
  section: "events",
  load: ({ findHolderEmails }, { params }) => findHolderEmails(params.id!),
  title: ({ event }) => `Emails to the holders of ${event.title}`,
  body: (data, request) => {
    const { event, people, emails } = data;
    const isFormShown = people.all > 0 && mayPlan(request);
    return (
      <>
        <EventScreenHead event={event} here="emails" request={request} />
        <UnshownFormMessage request={request} shown={isFormShown ? ["holders"] : []} />
        {isFormShown && <Write data={data} request={request} />}
        {people.all === 0 && emails.length === 0 && (
          <Empty title="Nobody has a ticket yet">
            <p>Once somebody has, you can send reminders and news to all holders here, and thank them afterwards.</p>
          </Empty>
        )}
        {emails.length > 0 && <Written data={data} request={request} />}
      </>
    );
  },
});

const kindNames: Readonly<Record<HolderEmailKind, string>> = {
  reminder: "Reminder",
  news: "News",
  thanks: "Thank you",
};

type Draft = (event: HolderEmailsOfEvent["event"]) => { readonly subject: string; readonly body: string };

/** What each kind begins with. */
const drafts: Readonly<Record<HolderEmailKind, Draft>> = {
  reminder: (event) => ({
    subject: `See you soon: ${event.title}`,
    body: isOnlineOnly(event) ? ONLINE_REMINDER : REMINDER,
  }),
  news: ({ title }) => ({ subject: `News about ${title}`, body: "" }),
  thanks: ({ title }) => ({
    subject: `Thank you for coming to ${title}`,
    body: "Thank you for coming. It was good to have you with us.",
  }),
};

const isOnlineOnly = ({ isOnline, place }: HolderEmailsOfEvent["event"]) => isOnline && place === "";

const REMINDER =
  "We look forward to seeing you.\n\nPlease have your tickets ready at the door, on your phone or on paper. They are on your order page, and in the email that we sent when you booked.\n\nIf you can’t come, please let us know, so that others can.";

const ONLINE_REMINDER =
  "We look forward to seeing you online. We send you the access details by email.\n\nYour tickets are on your order page, and in the email that we sent when you booked.\n\nIf you can’t take part, please let us know, so that others can.";

type WriteProps = { readonly data: HolderEmailsOfEvent; readonly request: ScreenRequest };

function Write({ data, request }: WriteProps) {
  const { event, people, isOver } = data;
  const path = eventScreenPath(event.screenId, "emails");
  const typedKind = request.form?.values.kind?.[0] ?? request.query.kind;
  const kind = typedKind !== undefined && isKind(typedKind) ? typedKind : isOver ? "thanks" : "reminder";
  return (
    <section className="sec" aria-labelledby="h-write">
      <div className="sec-h">
        <h2 id="h-write">Write to {countPeople(people.all)} with a ticket</h2>
      </div>
      <SavedFilters
        label="What for"
        saved={Object.entries(kindNames).map(([name, label]) => ({
          label,
          path: `${path}?kind=${name}`,
          isHere: name === kind,
        }))}
      />
      <EmailForm data={data} kind={kind} path={path} request={request} />
    </section>
  );
}

type EmailFormProps = WriteProps & { readonly kind: HolderEmailKind; readonly path: string };

function EmailForm({ data: { event, people, formId }, kind, path, request }: EmailFormProps) {
  const draft = drafts[kind](event);
  // The buttons beside the first one send the same form elsewhere.
  const own = request.form?.action.startsWith(path) ? { ...request.form, action: path } : request.form;
  return (
    <ActionForm action={path} id="holders" request={{ form: own }} className="stack">
      <input type="hidden" name="form" value={request.form?.values.form?.[0] ?? formId} />
      <input type="hidden" name="kind" value={kind} />
      <TextField name="subject" label="Subject" defaultValue={draft.subject} />
      <TextArea
        name="body"
        label="What it says"
        hint={
          kind === "thanks"
            ? "An empty line begins a new paragraph. It begins with ‘Dear’ and the name."
            : "An empty line begins a new paragraph. It begins with ‘Dear’ and the name; below your text stand the time, the place and the link to the order."
        }
        rows={8}
        defaultValue={draft.body}
      />
      {people.came > 0 && (
        <ChoiceField
          name="to"
          label="To whom"
          isSingle
          chosen={[kind === "thanks" ? "came" : "all"]}
          options={[
            { value: "all", label: `Everybody with a ticket: ${countPeople(people.all)}` },
            { value: "came", label: `Those who came in at the door: ${countPeople(people.came)}` },
          ]}
        />
      )}
      <p className="acts">
        <button className="btn quiet" type="submit" formAction={`${path}/preview`} formTarget="_blank">
          <Icon name="ext" />
          See the whole email
        </button>
        <button className="btn quiet" type="submit" formAction={`${path}/try`}>
          <Icon name="mail" />
          Send it to me first
        </button>
        <button className="btn" type="submit">
          Send it in ten minutes
        </button>
      </p>
      <p className="hint">
        Each person gets one email. Whoever has cancelled by then gets none. Until it goes out you can stop it here.
      </p>
    </ActionForm>
  );
}

const isKind = (name: string): name is HolderEmailKind => Object.hasOwn(kindNames, name);

const countPeople = (count: number) => plural(count, { one: "1 person", other: `${formatNumber(count)} people` });

function Written({ data: { event, emails }, request }: WriteProps) {
  return (
    <section className="sec" aria-labelledby="h-written">
      <div className="sec-h">
        <h2 id="h-written">Written so far</h2>
      </div>
      <div className="tw">
        <table className="cards">
          <caption className="sr">Emails to the holders of {event.title}, the latest first</caption>
          <thead>
            <tr>
              <th scope="col">Subject</th>
              <th scope="col">For</th>
              <th scope="col">State</th>
              <th scope="col">
                <span className="sr">Act</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {emails.map((email) => (
              <tr key={email.id}>
                <th scope="row" className="k-c">
                  <bdi>{email.subject}</bdi>
                  <span className="two-l">
                    {kindNames[email.kind]}, by <bdi>{email.writtenBy}</bdi>
                  </span>
                </th>
                <td className="m-c" data-l="For">
                  {email.only_came ? "Those who came" : "Everybody with a ticket"}
                </td>
                <td className="w-c">
                  <EmailState email={email} />
                </td>
                <td className="v-c">
                  {email.sent_at === null && email.stopped_at === null && mayPlan(request) && (
                    <ActionForm
                      action={`${eventScreenPath(event.screenId, "emails")}/${email.id}/stop`}
                      id={`stop-${email.id}`}
                      request={{ form: null }}
                    >
                      <button className="btn danger" type="submit">
                        Stop it<span className="sr">: {email.subject}</span>
                      </button>
                    </ActionForm>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function EmailState({ email }: { email: HolderEmailsOfEvent["emails"][number] }) {
  if (email.sent_at !== null) {
    return (
      <>
        <Status look="ok">{`Sent to ${countPeople(email.people ?? 0)}`}</Status>
        <span className="two-l">{formatWhen(email.sent_at)}</span>
      </>
    );
  }
  if (email.stopped_at !== null) {
    return (
      <>
        <Status look="plain">Stopped</Status>
        <span className="two-l">
          By <bdi>{email.stoppedBy}</bdi>, {formatWhen(email.stopped_at)}
        </span>
      </>
    );
  }
  return (
    <>
      <Status look="act">Waits to go out</Status>
      <span className="two-l">{formatWhen(email.goes_at)}</span>
    </>
  );
}
