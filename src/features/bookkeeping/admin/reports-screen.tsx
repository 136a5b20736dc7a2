import { showsFaith } from "#admin/faith.ts";
import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Filters, SelectFilter } from "#admin/ui/filters.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { tableCents } from "#admin/ui/table-cents.ts";
import { formatDay, formatDollars, formatNumber } from "#shared/language.ts";
import { monthsOf, type Period, yearBefore } from "../periods.ts";
import type { ReportStep } from "../server/report.ts";
import { type Bar, BarChart, ChartKey } from "./bar-chart.tsx";
import { FigureLink, listOfDonations, listOfRefunds } from "./figure-link.tsx";
import { FundsSection, MethodsSection } from "./report-sections.tsx";
import type { ShownReport } from "./reports-part.ts";
import { clockTime, shortTime } from "./shown-times.ts";

const PATH = "/admin/reports";

export const reportsScreen = screen({
  path: PATH,
  right: "reports.see",
  section: "donations",
  menuLabel: "Reports",
  load: ({ readReport }, { query }) => readReport(query),
  title: (report) => `Reports, ${namePeriod(report.period)}`,
  body: (report, request) => (
    <>
      <PageHead
        title={report.period.kind === "year" ? "Donations by month" : "Donations by day"}
        about={describePeriod(report)}
      />
      {report.asOf !== null && <p className="hint">As of {clockTime(report.asOf)} in Sydney.</p>}
      <ReportFilters report={report} />
      {!report.isWhole && (
        <Note look="warn">The newest donations are still being counted. Reload this page in a few minutes.</Note>
      )}
      <Sums report={report} />
      <Chart report={report} />
      <StepsTable report={report} request={request} />
      <FundsSection report={report} mayOpen={(fund) => mayOpen(fund, request)} />
      <MethodsSection report={report} isLinked={mayOpen(report.filter.fund, request)} />
    </>
  ),
});

/** Lists of who gave to these funds need a separate right. */
const mayOpen = (fund: string | null, { staff }: ScreenRequest) =>
  fund === null || !showsFaith(fund) || (staff !== null && hasRight(staff, "faith.see"));

/** 'Financial year 2026–27', 'November 2026' */
function namePeriod({ kind, key, first }: Period): string {
  if (kind === "year") return `Financial year ${key.replace("-", "–")}`;
  return formatDay(first, { month: "long", year: "numeric" });
}

function describePeriod({ period, isOver, until }: ShownReport): string {
  const name = namePeriod(period);
  return isOver
    ? `${name}, beside the year before`
    : `${name}, up to ${formatDay(until)}, beside the same days of the year before`;
}

function ReportFilters({ report }: { report: ShownReport }) {
  const { period, years, today, fundChoices, filter, errors } = report;
  const months = listMonths(years, today);
  return (
    <Filters label="What the report shows" path={PATH}>
      <SelectFilter
        name="period"
        label="Period"
        value={period.key}
        errors={errors}
        options={[...years.map((year) => ({ value: year.key, label: namePeriod(year) })), ...months]}
      />
      <SelectFilter
        name="fund"
        label="Fund"
        value={filter.fund ?? ""}
        errors={errors}
        options={[
          { value: "", label: "All funds" },
          ...fundChoices.map(({ fund, title }) => ({ value: fund, label: title })),
        ]}
      />
      <SelectFilter
        name="method"
        label="Way to pay"
        value={filter.method ?? ""}
        errors={errors}
        options={[
          { value: "", label: "All ways" },
          { value: "cc", label: "Card" },
          { value: "pp", label: "PayPal" },
        ]}
      />
    </Filters>
  );
}

/** The months of these years that have begun, newest first. */
function listMonths(years: readonly Period[], today: string) {
  const months = years.flatMap((year) => monthsOf(year).reverse()).filter(({ first }) => first <= today);
  return months.map((month) => ({ value: month.key, label: namePeriod(month) }));
}

function Sums({ report: { total, isOver, period } }: { report: ShownReport }) {
  const { gifts, givenCents, refundedCents, beforeSoFarCents, donors } = total;
  return (
    <dl className="sums">
      <Sum title={isOver ? "Given" : "Given so far"}>{formatDollars(givenCents)}</Sum>
      <Sum title={isOver ? `Given in ${namePeriod(yearBefore(period))}` : "Same days, year before"}>
        {formatDollars(beforeSoFarCents)}
      </Sum>
      <Sum title="Refunded">{formatDollars(refundedCents)}</Sum>
      <Sum title="Net">{formatDollars(givenCents - refundedCents)}</Sum>
      <Sum title="Average donation">{gifts === 0 ? "–" : formatDollars(Math.round(givenCents / gifts))}</Sum>
      {donors !== null && <Sum title="Median donation">{formatDollars(donors.medianCents)}</Sum>}
    </dl>
  );
}

function Sum({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Chart({ report }: { report: ShownReport }) {
  const { period, steps, total } = report;
  const before = namePeriod(yearBefore(period));
  const title = period.kind === "year" ? "Given by month" : "Given by day";
  const [highest] = [...steps].sort((one, other) => other.givenCents - one.givenCents);
  const about =
    total.givenCents === 0
      ? "Nothing was given in this period."
      : `The highest is ${nameStep(period, highest!)}. All figures are in the table below.`;
  return (
    <section aria-labelledby="chart">
      <h2 className="sr" id="chart">
        Chart
      </h2>
      <ChartKey now={namePeriod(period)} before={before} />
      <BarChart title={title} about={about} bars={listBars(report)} />
    </section>
  );
}

function listBars({ period, steps, beforeSteps }: ShownReport): Bar[] {
  // February may be longer than the year before.
  const longer = steps.length > beforeSteps.length ? steps : beforeSteps;
  return longer.map(({ first }, index) => {
    const label = period.kind === "year" ? formatDay(first, { month: "short" }) : String(Number(first.slice(8)));
    return { label, cents: steps[index]?.givenCents ?? null, beforeCents: beforeSteps[index]?.cents ?? 0 };
  });
}

/** 'October', '21 November'; the current month names its last day so far. */
function nameStep({ kind }: Period, { first, last }: Pick<ReportStep, "first" | "last">): string {
  if (kind === "month") return formatDay(first, { weekday: "short", day: "numeric", month: "long" });
  return formatDay(last, { month: "long" });
}

function StepsTable({ report, request }: { report: ShownReport; request: ScreenRequest }) {
  const { period, steps, total, filter, isOver, until } = report;
  const hasDonors = filter.fund === null && filter.method === null && period.kind === "year";
  const hasFees = filter.fund === null;
  const isLinked = mayOpen(filter.fund, request);
  const cells = { period, filter, hasDonors, hasFees, isLinked };
  return (
    <section className="sec" aria-labelledby="figures">
      <h2 id="figures">The same in figures</h2>
      <div className="tw">
        <table className="cards">
          <caption className="sr">
            {period.kind === "year" ? "By month" : "By day"}, {namePeriod(period)}
          </caption>
          <StepsHead isYear={period.kind === "year"} hasDonors={hasDonors} hasFees={hasFees} />
          <tbody>
            {[...steps].reverse().map((step) => (
              <StepRow
                step={step}
                name={`${nameStep(period, step)}${!isOver && step.last === until && period.kind === "year" ? ", so far" : ""}`}
                cells={cells}
                key={step.first}
              />
            ))}
          </tbody>
          <tfoot>
            <StepRow step={{ ...total, first: period.first, last: until }} name="Together" cells={cells} />
          </tfoot>
        </table>
      </div>
      <Hints report={report} hasDonors={hasDonors} />
    </section>
  );
}

function Hints({ report, hasDonors }: { report: ShownReport; hasDonors: boolean }) {
  const { donors } = report.total;
  return (
    <p className="hint">
      A donation counts on the day it was made, in Sydney; a refund on the day it was made, whenever the donation was.
      “Given”
      {report.filter.fund === null ? " includes the fees that donors added." : " is without fees."}
      {hasDonors &&
        " Somebody who gave in two months is one donor in the last line. A donor is an email address; erased ones are not counted."}
      {donors !== null &&
        report.total.gifts > 0 &&
        ` Donors and median were counted at ${shortTime(donors.countedAt)}.`}
    </p>
  );
}

type Cells = {
  period: Period;
  filter: ShownReport["filter"];
  hasDonors: boolean;
  hasFees: boolean;
  isLinked: boolean;
};

function StepsHead({ isYear, hasDonors, hasFees }: { isYear: boolean } & Pick<Cells, "hasDonors" | "hasFees">) {
  const heads = [
    "Donations",
    ...(hasDonors ? ["Donors", "New donors"] : []),
    ...(hasFees ? ["Fees"] : []),
    "Refunded",
    "Net",
    "Year before",
    "Given",
  ];
  return (
    <thead>
      <tr>
        <th scope="col">{isYear ? "Month" : "Day"}</th>
        {heads.map((head) => (
          <th scope="col" className="num" key={head}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function StepRow({ step, name, cells }: { step: ReportStep; name: string; cells: Cells }) {
  const { filter, hasDonors, hasFees, isLinked } = cells;
  const { first, last, gifts, givenCents, refundedCents, feeCents, beforeSoFarCents, donors } = step;
  const behind = { ...filter, first, last };
  const donations = isLinked ? listOfDonations(behind) : null;
  return (
    <tr data-id={first}>
      <th scope="row" className="k-c">
        {name}
      </th>
      <td className="num m-c" data-l="Donations">
        {formatNumber(gifts)}
      </td>
      {hasDonors && (
        <>
          <td className="num m-c" data-l="Donors">
            {donors === null ? "–" : formatNumber(donors.donors)}
          </td>
          <td className="num m-c" data-l="New">
            {donors === null ? "–" : formatNumber(donors.newDonors)}
          </td>
        </>
      )}
      {hasFees && (
        <td className="num m-c" data-l="Fees">
          <FigureLink cents={feeCents} list={donations}>
            {`fees of donations of ${name}`}
          </FigureLink>
        </td>
      )}
      <td className="num m-c" data-l="Refunded">
        <FigureLink cents={refundedCents} list={isLinked ? listOfRefunds(behind) : null}>
          {`refunds of ${name}`}
        </FigureLink>
      </td>
      <td className="num m-c" data-l="Net">
        {tableCents(givenCents - refundedCents)}
      </td>
      <td className="num m-c" data-l="Year before">
        {tableCents(beforeSoFarCents)}
      </td>
      <td className="num v-c">
        <FigureLink cents={givenCents} list={donations}>
          {`donations of ${name}`}
        </FigureLink>
      </td>
    </tr>
  );
}
