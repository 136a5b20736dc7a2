import type { ReactNode } from "react";
import type { Organisation } from "#shared/organisation.ts";
import { contactAbout, paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { type Page, page } from "./page.ts";
import { MessagePage } from "./shell/message-page.tsx";

type ComingPage = {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly image: string;
  readonly lede: string;
  readonly text: string;
  /** What somebody who came for this page can do instead. */
  readonly ways: ReactNode;
  /** What a question about it is headed. */
  readonly subject: string;
  readonly hasHeader?: false;
};

const Home = () => (
  <a className="btn btn-quiet" href={paths.home}>
    Go to the home page
  </a>
);

const SeeEvents = () => (
  <a className="btn" href={paths.events}>
    See our events
  </a>
);

const table: readonly ComingPage[] = [
  {
    path: paths.ticketAbout,
    title: "Event tickets",
    description: "No tickets are on sale online just now. See what is coming up.",
    image: "spot-empty-cart",
    lede: "No tickets are on sale online just now.",
    text: "Our events tell you what is coming up, where and when. Tickets that are sold online will be introduced here.",
    ways: (
      <>
        <SeeEvents />
        <Home />
      </>
    ),
    subject: "Event tickets",
    hasHeader: false,
  },
  {
    path: paths.selectTickets,
    title: "Select tickets",
    description: "There are no tickets to choose from just now. See what is coming up.",
    image: "spot-empty-cart",
    lede: "There are no tickets to choose from just now.",
    text: "You will choose your seats here once an event sells its tickets online.",
    ways: (
      <>
        <SeeEvents />
        <Home />
      </>
    ),
    subject: "Event tickets",
    hasHeader: false,
  },
  {
    path: paths.ticketsCheckout,
    title: "Tickets checkout",
    description: "You have no tickets to pay for. See what is coming up.",
    image: "spot-empty-cart",
    lede: "You have no tickets to pay for, and nothing has been charged.",
    text: "You will pay for tickets here once an event sells them online.",
    ways: (
      <>
        <SeeEvents />
        <Home />
      </>
    ),
    subject: "Event tickets",
    hasHeader: false,
  },
];

function Coming({ row, organisation }: { row: ComingPage; organisation: Organisation }) {
  return (
    <>
      {row.hasHeader === false && <div className="strip-ajrak" aria-hidden="true" />}
      <MessagePage image={`/identity/illustrations/${row.image}.svg`} title={row.title}>
        <p className="lede">{row.lede}</p>
        <p>{row.text}</p>
        <div className="row">{row.ways}</div>
        <p className="muted">
          Questions? <a href={contactAbout(row.subject)}>Send us a message</a> or call our helpline on{" "}
          <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a>.
        </p>
      </MessagePage>
    </>
  );
}

/** Pages that people may look for, or come to by an old link, before what they are for is there (NAV-1). */
export const comingPages: readonly Page[] = table.map((row) =>
  page({
    path: row.path,
    load: async () => row,
    isIndexed: false,
    head: ({ title, description }) => ({ title, description }),
    body: (_, { organisation }) => <Coming row={row} organisation={organisation} />,
    ...(row.hasHeader === false ? { hasHeader: false } : {}),
  }),
);
