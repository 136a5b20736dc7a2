import type { DescribedAct } from "#admin/acts.ts";
import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Acts } from "#admin/ui/acts.tsx";
import { ActionForm } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { When } from "#admin/ui/when.tsx";
import type { InboxMessage, MessageState } from "../../server/messages.ts";
import { MESSAGES_PATH, messagePath, messageStatus } from "./message-words.ts";

type Shown = { readonly message: InboxMessage; readonly acts: readonly DescribedAct[]; readonly now: Date };

/** `/admin/messages/:id`: one message, with ways to answer it and to take it off the list. */
export const messageScreen = screen<Shown>({
  path: `${MESSAGES_PATH}/:id`,
  right: "messages.see",
  section: "dashboard",
  load: async ({ findContactMessage, listActs, now }, { params: { id = "" } }) => {
    const message = await findContactMessage(id);
    if (message === null) return null;
    return { message, acts: await listActs({ subject: "messages", subjectId: id }), now: now() };
  },
  title: ({ message }) => `Message from ${message.name}`,
  body: ({ message, acts, now }, request) => (
    <>
      <PageHead
        title={<bdi>{message.subject || "Message"}</bdi>}
        about={<Status look={messageStatus[message.state].look}>{messageStatus[message.state].label}</Status>}
        crumbs={[{ label: "Messages", path: MESSAGES_PATH }]}
      >
        <a className="btn" href={mailtoOf(message)}>
          <Icon name="mail" />
          Answer by email
        </a>
      </PageHead>
      <div className="split">
        <div>
          <p className="as-typed" dir="auto">
            {message.text}
          </p>
          <Marks message={message} request={request} />
        </div>
        <aside aria-label="Who wrote">
          <Sender message={message} now={now} request={request} />
          <section className="panel" aria-labelledby="message-acts">
            <h2 id="message-acts">What was done</h2>
            <Acts acts={acts} now={now} />
          </section>
        </aside>
      </div>
    </>
  ),
});

/** Opens the reader's own mail program. Some take no address whose `@` is encoded; whatever else could end it is. */
function mailtoOf({ email, subject }: InboxMessage): string {
  const about = subject === "" ? "Your message" : `Re: ${subject}`;
  const address = encodeURIComponent(email).replace("%40", "@");
  return `mailto:${address}?subject=${encodeURIComponent(about)}`;
}

const buttons: Readonly<Record<MessageState, readonly (readonly [MessageState, string])[]>> = {
  open: [
    ["answered", "Mark as answered"],
    ["spam", "It is spam"],
  ],
  answered: [["open", "Open it again"]],
  spam: [["open", "It is no spam"]],
};

function Marks({ message: { id, state }, request }: { message: InboxMessage; request: ScreenRequest }) {
  if (!hasRight(request.staff!, "messages.change")) return null;
  return (
    <ActionForm action={messagePath(id)} id="mark" request={request}>
      <input type="hidden" name="from" value={state} />
      <div className="acts">
        {buttons[state].map(([to, label], place) => (
          <button className={place === 0 ? "btn" : "btn quiet"} type="submit" name="to" value={to} key={to}>
            {label}
          </button>
        ))}
      </div>
    </ActionForm>
  );
}

function Sender({ message, now, request }: { message: InboxMessage; now: Date; request: ScreenRequest }) {
  const { id, name, email, phone, at } = message;
  return (
    <section className="panel" aria-labelledby="message-sender">
      <h2 id="message-sender">
        <bdi>{name}</bdi>
      </h2>
      <dl className="kv">
        <div>
          <dt>Email</dt>
          <dd>
            <bdi>{email}</bdi>
          </dd>
        </div>
        {phone !== "" && (
          <div>
            <dt>Phone</dt>
            <dd className="tn">
              <bdi>{phone}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>Sent</dt>
          <dd>
            <When at={at} now={now} />
          </dd>
        </div>
      </dl>
      {hasRight(request.staff!, "donations.see") && (
        <p className="small">
          <a href={`/admin/people/${id}`}>Everything from this email address</a>
        </p>
      )}
    </section>
  );
}
