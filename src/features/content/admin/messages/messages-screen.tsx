import { screen } from "#admin/screen.ts";
import { addressWith, Pager, SavedFilters } from "#admin/ui/filters.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { When } from "#admin/ui/when.tsx";
import { messageStates } from "../../server/messages.ts";
import { MESSAGES_PATH, messagePath, messageStatus } from "./message-words.ts";
import type { Inbox } from "./messages-part.ts";

type Shown = { readonly inbox: Inbox; readonly now: Date };

/** `/admin/messages`: the messages of the contact form, newest first. */
export const messagesScreen = screen<Shown>({
  path: MESSAGES_PATH,
  right: "messages.see",
  section: "dashboard",
  menuLabel: "Messages",
  load: async ({ readInbox, now }, { query }) => ({ inbox: await readInbox(query), now: now() }),
  title: () => "Messages",
  body: ({ inbox, now }) => (
    <>
      <PageHead
        title="Messages"
        about="What people wrote with the contact form. Your email address for visitors got each of them too."
      />
      <SavedFilters
        label="Messages by state"
        saved={messageStates.map((state) => ({
          label: messageStatus[state].label,
          path: addressWith(MESSAGES_PATH, { state: state === "open" ? undefined : state }),
          isHere: state === inbox.state,
          count: inbox.counts[state],
        }))}
      />
      {inbox.rows.length === 0 ? <Nothing inbox={inbox} /> : <Table inbox={inbox} now={now} />}
      <Pager label="Pages of messages" newer={place(inbox, "newer")} older={place(inbox, "older")} />
    </>
  ),
});

const place = (inbox: Inbox, name: "newer" | "older") =>
  inbox[name] && addressWith(MESSAGES_PATH, { state: inbox.state, [name]: inbox[name] });

function Nothing({ inbox: { state } }: { inbox: Inbox }) {
  if (state === "open") return <Empty title="Every message is answered" />;
  return <Empty title={state === "spam" ? "No spam" : "No message is marked as answered yet"} />;
}

function Table({ inbox: { rows }, now }: Shown) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Messages, newest first</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Message</th>
            <th scope="col" aria-sort="descending">
              Sent
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, subject, beginning, at }) => (
            <tr data-id={id} key={id}>
              <th scope="row" className="k-c">
                <a href={messagePath(id)}>
                  <bdi>{name}</bdi>
                </a>
              </th>
              <td className="w-c">
                {subject !== "" && (
                  <b dir="auto">
                    <bdi>{subject}</bdi>
                  </b>
                )}{" "}
                <span className="muted" dir="auto">
                  {beginning}
                </span>
              </td>
              <td className="m-c">
                <When at={at} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
