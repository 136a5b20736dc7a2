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
  /** What a question about it is headed, where writing is not among the ways already. */
  readonly subject?: string;
  readonly below?: ReactNode;
  readonly hasHeader?: false;
};

const Home = () => (
  <a className="btn btn-quiet" href={paths.home}>
    Go to the home page
  </a>
);

const WriteToUs = ({ subject }: { subject: string }) => (
  <a className="btn" href={contactAbout(subject)}>
    Write to us
  </a>
);

const SeeEvents = () => (
  <a className="btn" href={paths.events}>
    See our events
  </a>
);

/** The kinds of work that the application will ask about (VOL-3). */
const interests = [
  ["Administration", "Letters, records and the telephone."],
  ["Events", "Setting up, welcoming guests, packing up."],
  ["Field Work", "Lending a hand where the help is given."],
  ["Fundraising", "Stalls, dinners and collections in your suburb."],
  ["Newsletter Production", "Writing, taking pictures, laying out pages."],
  ["Volunteer Coordination", "Showing new people round, planning who helps when."],
] as const;

function Interests() {
  return (
    <section className="section" aria-labelledby="interests-title">
      <div className="wrap-narrow">
        <div className="sec-head">
          <div>
            <h2 id="interests-title">What volunteers do</h2>
            <p className="muted">
              Tell us which of these you would enjoy, where you live, and whether weekdays or weekends suit you.
            </p>
          </div>
        </div>
        <ul className="grid-3 interests">
          {interests.map(([name, work]) => (
            <li key={name} className="plain-card">
              <h3>{name}</h3>
              <p>{work}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

const table: readonly ComingPage[] = [
  {
    path: paths.volunteer,
    title: "Volunteer Application",
    description: "Volunteer with us: what volunteers do, and how to tell us that you would like to help.",
    image: "spot-volunteer",
    lede: "The application form opens here soon. You do not have to wait for it.",
    text: "Write to us or call, and we will talk about what you like doing and when you have time.",
    ways: (
      <>
        <WriteToUs subject="Volunteering" />
        <Home />
      </>
    ),
    below: <Interests />,
  },
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
          {row.subject === undefined ? (
            "Or call "
          ) : (
            <>
              Questions? <a href={contactAbout(row.subject)}>Send us a message</a> or call{" "}
            </>
          )}
          our helpline on <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a>.
        </p>
      </MessagePage>
      {row.below}
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
