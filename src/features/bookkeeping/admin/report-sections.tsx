import { tableCents } from "#admin/ui/table-cents.ts";
import { formatNumber, formatPercent } from "#shared/language.ts";
import type { FundSums } from "../server/report.ts";
import { ShareChart } from "./bar-chart.tsx";
import { type Behind, FigureLink, listOfDonations, listOfRefunds } from "./figure-link.tsx";
import type { ShownReport } from "./reports-part.ts";

/** The chart has a bar for each of this many funds, and one for the others. */
const CHARTED = 5;

/** What was given to each fund, and the fees. */
export function FundsSection({ report, mayOpen }: { report: ShownReport; mayOpen: (fund: string) => boolean }) {
  const { funds, filter } = report;
  const total = funds.reduce((cents, { givenCents }) => cents + givenCents, 0);
  if (filter.fund !== null || funds.length === 0) return null;
  return (
    <section className="sec two" aria-labelledby="funds">
      <div>
        <h2 id="funds">By fund</h2>
        {total === 0 ? (
          <p className="muted">Nothing was given in this period.</p>
        ) : (
          <ShareChart
            about="Shares of the funds; the table beside it has the figures."
            shares={listShares(funds, total)}
          />
        )}
      </div>
      <FundsTable report={report} total={total} mayOpen={mayOpen} />
    </section>
  );
}

type FundsTableProps = { report: ShownReport; total: number; mayOpen: (fund: string) => boolean };

function FundsTable({ report: { funds, fees, filter, period, until }, total, mayOpen }: FundsTableProps) {
  const all = [...funds, fees.admin, fees.merchant];
  const behind = { ...filter, first: period.first, last: until };
  return (
    <div className="tw">
      <table className="cards">
        <caption>Funds in figures</caption>
        <thead>
          <tr>
            <th scope="col">Fund</th>
            <th scope="col" className="num">
              Donations
            </th>
            <th scope="col" className="num">
              Share
            </th>
            <th scope="col" className="num">
              Refunded
            </th>
            <th scope="col" className="num">
              Given
            </th>
          </tr>
        </thead>
        <tbody>
          {funds.map((sums) => (
            <FundRow
              sums={sums}
              total={total}
              behind={mayOpen(sums.fund) ? { ...behind, fund: sums.fund } : null}
              key={sums.fund}
            />
          ))}
          <FeeRow name="Admin fees" sums={fees.admin} behind={behind} />
          <FeeRow name="Merchant fees" sums={fees.merchant} behind={behind} />
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className="k-c">
              Together
            </th>
            <td className="no-c" />
            <td className="no-c" />
            <td className="num m-c" data-l="Refunded">
              {tableCents(all.reduce((cents, { refundedCents }) => cents + refundedCents, 0))}
            </td>
            <td className="num v-c">{tableCents(all.reduce((cents, { givenCents }) => cents + givenCents, 0))}</td>
          </tr>
        </tfoot>
      </table>
      <p className="hint">A donation to two funds counts in both lines, each with its part.</p>
    </div>
  );
}

type FundRowProps = { sums: FundSums; total: number; behind: Behind | null };

function FundRow({ sums, total, behind }: FundRowProps) {
  const { title, gifts, givenCents, refundedCents } = sums;
  return (
    <tr data-id={sums.fund}>
      <th scope="row" className="k-c">
        {title}
      </th>
      <td className="num m-c" data-l="Donations">
        {formatNumber(gifts)}
      </td>
      <td className="num m-c" data-l="Share">
        {total === 0 ? "–" : formatPercent(Math.round((givenCents / total) * 100) * 100)}
      </td>
      <td className="num m-c" data-l="Refunded">
        <FigureLink cents={refundedCents} list={behind && listOfRefunds(behind)}>
          {`refunds for ${title}`}
        </FigureLink>
      </td>
      <td className="num v-c">
        <FigureLink cents={givenCents} list={behind && listOfDonations(behind)}>
          {`donations for ${title}`}
        </FigureLink>
      </td>
    </tr>
  );
}

type FeeRowProps = { name: string; sums: ShownReport["fees"]["admin"]; behind: Behind };

function FeeRow({ name, sums, behind }: FeeRowProps) {
  return (
    <tr>
      <th scope="row" className="k-c">
        {name}
      </th>
      <td className="no-c" />
      <td className="no-c" />
      <td className="num m-c" data-l="Refunded">
        <FigureLink cents={sums.refundedCents} list={listOfRefunds(behind)}>
          refunds with their fees
        </FigureLink>
      </td>
      <td className="num v-c">
        <FigureLink cents={sums.givenCents} list={listOfDonations(behind)}>
          donations with their fees
        </FigureLink>
      </td>
    </tr>
  );
}

function listShares(funds: readonly FundSums[], total: number) {
  const named = funds.length > CHARTED + 1 ? funds.slice(0, CHARTED) : funds;
  const rest = funds.slice(named.length).reduce((cents, { givenCents }) => cents + givenCents, 0);
  return [
    ...named.map(({ title, givenCents }) => ({ label: title, share: givenCents / total })),
    ...(rest === 0 ? [] : [{ label: "All other funds", share: rest / total }]),
  ];
}

const methodNames = { cc: "Card", pp: "PayPal" } as const;

/** Ways to pay, and who gave. */
export function MethodsSection({ report, isLinked }: { report: ShownReport; isLinked: boolean }) {
  const { period } = report;
  const { donors } = report.total;
  return (
    <section className="sec two" aria-labelledby="methods">
      <div>
        <h2 id="methods">By way to pay</h2>
        <MethodsTable report={report} isLinked={isLinked} />
      </div>
      {donors !== null && (
        <div>
          <h2>Donors</h2>
          <dl className="kv">
            <Count name="Gave" count={donors.donors} />
            <Count name="New" count={donors.newDonors} />
            <Count name="Returning" count={donors.donors - donors.newDonors} />
            <Count
              name="Lapsed"
              count={donors.lapsedDonors}
              about={
                period.kind === "year"
                  ? "gave the year before, but not in this one"
                  : "gave the month before, not in this one"
              }
            />
          </dl>
        </div>
      )}
    </section>
  );
}

function MethodsTable({ report, isLinked }: { report: ShownReport; isLinked: boolean }) {
  const { methods, filter, period, until } = report;
  const behind = { ...filter, first: period.first, last: until };
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Ways to pay in figures</caption>
        <thead>
          <tr>
            <th scope="col">Way to pay</th>
            <th scope="col" className="num">
              Donations
            </th>
            <th scope="col" className="num">
              Refunded
            </th>
            <th scope="col" className="num">
              Given
            </th>
          </tr>
        </thead>
        <tbody>
          {methods.map(({ method, gifts, refundedCents, givenCents }) => (
            <tr data-id={method} key={method}>
              <th scope="row" className="k-c">
                {methodNames[method]}
              </th>
              <td className="num m-c" data-l="Donations">
                {formatNumber(gifts)}
              </td>
              <td className="num m-c" data-l="Refunded">
                <FigureLink cents={refundedCents} list={isLinked ? listOfRefunds({ ...behind, method }) : null}>
                  {`refunds by ${methodNames[method]}`}
                </FigureLink>
              </td>
              <td className="num v-c">
                <FigureLink cents={givenCents} list={isLinked ? listOfDonations({ ...behind, method }) : null}>
                  {`donations by ${methodNames[method]}`}
                </FigureLink>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Count({ name, count, about }: { name: string; count: number; about?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">
        {formatNumber(count)} {about !== undefined && <span className="muted small">{about}</span>}
      </dd>
    </div>
  );
}
