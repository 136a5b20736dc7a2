import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { addressWith, Pager } from "#admin/ui/filters.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty, Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status, type StatusLook } from "#admin/ui/status.tsx";
import { tableCents } from "#admin/ui/table-cents.ts";
import { providerTitles } from "#payments/reconciliation/reconciliation-report.ts";
import { formatDay, formatNumber, plural } from "#shared/language.ts";
import type { Difference } from "../server/findings.ts";
import type { BookedDay, DayState } from "../server/reconciliation-days.ts";
import { DifferencePanel } from "./difference-panel.tsx";
import { listOfDonations, listOfRefunds } from "./figure-link.tsx";
import { paymentsToReviewScreen } from "./payments-to-review-screen.tsx";
import type { ReconciliationDay } from "./reconciliation-part.ts";
import { ReconciliationViews } from "./reconciliation-views.tsx";
import { fullDay, shortDay, shortTime } from "./shown-times.ts";

const LIST = "/admin/reconciliation";

/** `put right`: nothing is open, but the sums of the last comparison still differ. */
type ShownDayState = DayState | "put right";

const states: Readonly<Record<ShownDayState, { look: StatusLook; word: string }>> = {
  differs: { look: "warn", word: "Differs" },
  unread: { look: "bad", word: "Could not be read" },
  comparing: { look: "act", word: "Being compared" },
  "not compared": { look: "off", word: "Not compared yet" },
  closed: { look: "ok", word: "Closed" },
  "put right": { look: "ok", word: "Put right" },
  agrees: { look: "ok", word: "Agrees" },
};

/** The word 'Agrees' never stands beside different sums. */
const withSums = (state: DayState, theirs: number, ours: number): ShownDayState =>
  state === "agrees" && theirs !== ours ? "put right" : state;

function ShownState({ state }: { state: ShownDayState }) {
  const { look, word } = states[state];
  return <Status look={look}>{word}</Status>;
}

const mayChange = ({ staff }: ScreenRequest) => staff !== null && hasRight(staff, "reconciliation.change");

const days = screen({
  path: LIST,
  right: "reconciliation.see",
  section: "donations",
  menuLabel: "Reconciliation",
  load: ({ reconciliation }, { query }) => reconciliation.listDays(query.before),
  title: () => "Reconciliation",
  body: ({ days: listed, older, open }, request) => (
    <>
      <PageHead title="Reconciliation" about={sumUp(open.length)} />
      <ReconciliationViews here="days" />
      {open.length > 0 && <OpenDifferences open={open} />}
      <section className={open.length > 0 ? "sec" : undefined} aria-labelledby="days">
        <h2 className={open.length > 0 ? undefined : "sr"} id="days">
          Days
        </h2>
        {listed.length === 0 ? (
          <Empty title="No day to compare yet">
            <p>A day is compared once it is over and somebody has paid.</p>
          </Empty>
        ) : (
          <DaysTable days={listed} />
        )}
        <Pager
          label="Days"
          newer={request.query.before ? LIST : null}
          older={older && addressWith(LIST, { before: older })}
        />
      </section>
    </>
  ),
});

function sumUp(open: number): string {
  if (open === 0)
    return "Each morning the providers’ books are compared with ours, payment by payment. Nothing is open.";
  return plural(open, {
    one: "One difference between a provider’s books and ours needs attention.",
    other: `${formatNumber(open)} differences between the providers’ books and ours need attention.`,
  });
}

function OpenDifferences({ open }: { open: readonly Difference[] }) {
  return (
    <section aria-labelledby="open">
      <h2 className="sr" id="open">
        Open differences
      </h2>
      <ul className="todo">
        {open.map(({ id, day, title, text, foundAt }) => (
          <li key={id}>
            <Icon name="alert" />
            <p>
              <a href={`${LIST}/${day}#difference-${id}`}>{title}</a>
              <span className="d">{text}</span>
            </p>
            <span className="when">since {shortTime(foundAt)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DaysTable({ days: listed }: { days: readonly BookedDay[] }) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Comparisons by day, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" className="num">
              Payments and refunds
            </th>
            <th scope="col" className="num">
              They say
            </th>
            <th scope="col" className="num">
              We say
            </th>
            <th scope="col">What was found</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {listed.map((booked) => (
            <DayRow booked={booked} key={booked.day} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const total = (runs: BookedDay["runs"], part: "transactions" | "provider_cents" | "ledger_cents") =>
  runs.reduce((sum, run) => sum + (run[part] ?? 0), 0);

function DayRow({ booked }: { booked: BookedDay }) {
  const { day, state, runs } = booked;
  const isRead = runs.some((run) => run.state === "done");
  const theirs = total(runs, "provider_cents");
  const ours = total(runs, "ledger_cents");
  return (
    <tr data-id={day}>
      <th scope="row" className="k-c">
        <a className="k" href={`${LIST}/${day}`}>
          {shortDay(day)}
        </a>
      </th>
      <td className="num m-c" data-l="Payments and refunds">
        {isRead ? formatNumber(total(runs, "transactions")) : "–"}
      </td>
      <td className="num m-c" data-l="They say">
        {isRead ? tableCents(theirs) : "–"}
      </td>
      <td className="num v-c" data-l="We say">
        {isRead ? tableCents(ours) : "–"}
      </td>
      <td className="w-c">{describeFound(booked)}</td>
      <td className="s-c">
        <ShownState state={withSums(state, theirs, ours)} />
      </td>
    </tr>
  );
}

function describeFound({ open, ended, closedBecause, state }: BookedDay) {
  if (open > 0) return plural(open, { one: "One difference is open", other: `${open} differences are open` });
  if (closedBecause !== "") {
    return (
      <>
        Closed: “<bdi>{closedBecause}</bdi>”
      </>
    );
  }
  if (ended > 0) return plural(ended, { one: "One difference, put right", other: `${ended} differences, put right` });
  return <span className="muted">{state === "agrees" ? "Nothing" : ""}</span>;
}

const oneDay = screen({
  path: `${LIST}/:day`,
  right: "reconciliation.see",
  section: "donations",
  load: ({ reconciliation }, { params }) => reconciliation.findDay(params.day ?? ""),
  title: ({ day }) => `Reconciliation, ${shortDay(day)}`,
  body: (booked, request) => <Day booked={booked} request={request} />,
});

function Day({ booked, request }: { booked: ReconciliationDay; request: ScreenRequest }) {
  const { day, before, after, differences, foreign, reversals, state } = booked;
  const { form } = request;
  const open = differences.filter(({ endedAt }) => endedAt === null);
  const isShownBelow = open.some(({ id }) =>
    ["close", "take-in", "reverse"].some((act) => form?.action === `${LIST}/${day}/${act}/${id}`),
  );
  return (
    <>
      <PageHead
        title={booksOf(day)}
        about={`${fullDay(day)}. Their books beside ours, payment by payment`}
        crumbs={[{ label: "Reconciliation", path: LIST }]}
      >
        <a className="ib line" href={`${LIST}/${before}`} aria-label="The day before">
          <Icon name="left" />
        </a>
        {after !== null && (
          <a className="ib line" href={`${LIST}/${after}`} aria-label="The day after">
            <Icon name="right" />
          </a>
        )}
        {mayChange(request) && (
          <form method="post" action={`${LIST}/${day}/compare`}>
            <button className="btn quiet" type="submit">
              <Icon name="again" />
              {state === "not compared" ? "Compare now" : "Compare again"}
            </button>
          </form>
        )}
      </PageHead>
      {form?.message !== undefined && !isShownBelow && (
        <Note look="bad" isNews>
          {form.message}
        </Note>
      )}
      <Sums booked={booked} />
      <OurSide day={day} />
      {differences.length > 0 && (
        <section className="sec" aria-labelledby="found">
          <div className="sec-h">
            <h2 id="found">What was found</h2>
            <p>{describeOpen(open.length)}</p>
          </div>
          {differences.map((difference) => (
            <DifferencePanel
              difference={difference}
              foreign={foreign.get(difference.id)}
              reversal={reversals.get(difference.id)}
              mayChange={mayChange(request)}
              request={request}
              key={difference.id}
            />
          ))}
        </section>
      )}
    </>
  );
}

/** Where to find the payments that a statement of the provider lists. */
function OurSide({ day }: { day: string }) {
  const behind = { first: day, last: day, fund: null, method: null };
  return (
    <p className="hint">
      We add up the <a href={listOfDonations(behind)}>donations</a>,{" "}
      <a href={addressWith("/admin/orders", { from: day, to: day })}>ticket orders</a> and{" "}
      <a href={listOfRefunds(behind)}>refunds of donations</a> of this day, and refunds of tickets.
    </p>
  );
}

const describeOpen = (open: number) =>
  open === 0
    ? "Nothing waits for anybody"
    : plural(open, { one: "One difference is open", other: `${open} differences are open` });

/** The title has no date; the line below it has. */
const booksOf = (day: string) => `${formatDay(day, { weekday: "long" })}’s books`;

function Sums({ booked: { runs, state } }: { booked: BookedDay }) {
  if (runs.length === 0) {
    return (
      <Empty title="Not compared yet">
        <p>The comparison runs early in the morning, and includes the weeks before.</p>
      </Empty>
    );
  }
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Sums of the day by provider</caption>
        <thead>
          <tr>
            <th scope="col">Provider</th>
            <th scope="col">Compared</th>
            <th scope="col" className="num">
              Payments and refunds
            </th>
            <th scope="col" className="num">
              They say
            </th>
            <th scope="col" className="num">
              We say
            </th>
            <th scope="col" className="num">
              Difference
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow run={run} dayState={state} key={run.id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunRow({ run, dayState }: { run: BookedDay["runs"][number]; dayState: DayState }) {
  const theirs = run.provider_cents ?? 0;
  const ours = run.ledger_cents ?? 0;
  const isDone = run.state === "done";
  const state = isDone ? (theirs === ours ? "agrees" : stateOfUnequal(dayState)) : stateOfRun[run.state];
  return (
    <tr data-id={run.provider}>
      <th scope="row" className="k-c">
        {providerTitles[run.provider]}
        {run.detail !== "" && <span className="two-l">{run.detail}</span>}
      </th>
      <td className="m-c" data-l="Compared">
        {shortTime(run.finished_at ?? run.started_at)}
      </td>
      <td className="num m-c" data-l="Payments and refunds">
        {isDone ? formatNumber(run.transactions ?? 0) : "–"}
      </td>
      <td className="num m-c" data-l="They say">
        {isDone ? tableCents(theirs) : "–"}
      </td>
      <td className="num m-c" data-l="We say">
        {isDone ? tableCents(ours) : "–"}
      </td>
      <td className="num v-c" data-l="Difference">
        {isDone ? tableCents(theirs - ours) : "–"}
      </td>
      <td className="s-c">
        <ShownState state={state} />
      </td>
    </tr>
  );
}

const stateOfUnequal = (day: DayState) => (day === "closed" ? day : day === "agrees" ? "put right" : "differs");

const stateOfRun = { done: "agrees", running: "comparing", failed: "unread" } as const;

export const reconciliationScreens = [days, paymentsToReviewScreen, oneDay];
