import { formatWhen } from "#admin/format-when.ts";
import { screen } from "#admin/screen.ts";
import { addressWith, Filters, Pager, TypedFilter } from "#admin/ui/filters.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { formatDollars, formatNumber } from "#shared/language.ts";
import { ANONYMOUS_DONOR } from "../../donor.ts";
import type { MadeRefund } from "../../server/made-refunds.ts";
import { FundFilter, MethodFilter } from "../list/donation-filters.tsx";
import { describeFees, methodWords, refundKindWords } from "../list/filter-words.ts";
import type { MadeRefundList } from "./made-refunds-part.ts";

const PATH = "/admin/refunds/made";

/** The refunds made in a range of days, which a figure in a report adds up. */
export const madeRefundsScreen = screen<MadeRefundList>({
  path: PATH,
  right: "donations.see",
  section: "donations",
  load: (reads, { query, staff, ipAddress }) => reads.readMadeRefunds({ query, ipAddress, staff: staff! }),
  title: () => "Refunds made",
  body: (list) => (
    <>
      <PageHead title="Refunds made" about="By the day on which the money went back, whenever the donation was." />
      <MadeFilters list={list} />
      <Sums list={list} />
      {list.rows.length === 0 ? <NoRefunds /> : <MadeTable rows={list.rows} />}
      <Pager
        label="Pages of refunds"
        newer={list.isFirst ? null : addressWith(PATH, list.typed)}
        older={list.older && addressWith(PATH, { ...list.typed, after: list.older })}
      />
    </>
  ),
});

function MadeFilters({ list: { typed, errors, funds } }: { list: MadeRefundList }) {
  return (
    <Filters label="Refunds made" path={PATH}>
      <TypedFilter name="from" label="From" value={typed.from} type="date" errors={errors} />
      <TypedFilter name="to" label="To" value={typed.to} type="date" errors={errors} />
      <MethodFilter value={typed.method} errors={errors} />
      <FundFilter value={typed.fund} funds={funds} errors={errors} />
    </Filters>
  );
}

function Sums({ list: { sums, fund } }: { list: MadeRefundList }) {
  const { adminFeeCents, merchantFeeCents } = sums;
  const feeCents = adminFeeCents + merchantFeeCents;
  return (
    <>
      <dl className="sums" id="sums">
        <div>
          <dt>Refunds</dt>
          <dd>{formatNumber(sums.count)}</dd>
        </div>
        <div>
          <dt>Refunded</dt>
          <dd>{formatDollars(sums.cents)}</dd>
        </div>
        {feeCents > 0 && (
          <div>
            <dt>Of which fees</dt>
            <dd>{formatDollars(feeCents)}</dd>
            <dd className="muted small">{describeFees(adminFeeCents, merchantFeeCents)}</dd>
          </div>
        )}
      </dl>
      {fund !== null && <p className="hint">Of each refund only the part of this fund counts here, without fees.</p>}
    </>
  );
}

function NoRefunds() {
  return (
    <Empty title="No refund fits this">
      <p>Choose other days, or see what waits and what is under way.</p>
      <div className="acts">
        <a className="btn" href="/admin/refunds">
          All refunds
        </a>
      </div>
    </Empty>
  );
}

function MadeTable({ rows }: { rows: readonly MadeRefund[] }) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Refunds made, latest first</caption>
        <thead>
          <tr>
            <th scope="col">Donation</th>
            <th scope="col">Refunded</th>
            <th scope="col">Paid by</th>
            <th scope="col">Kind</th>
            <th scope="col" className="num">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, at, reference, donorName, method, kind, cents }) => (
            <tr data-id={id} key={id}>
              <th scope="row" className="k-c">
                <a className="k" href={`/admin/refunds/${id}`}>
                  <bdi>{donorName ?? ANONYMOUS_DONOR}</bdi>
                </a>
                <span className="two-l tn">{reference}</span>
              </th>
              <td className="m-c tn">
                <time dateTime={at.toISOString()}>{formatWhen(at)}</time>
              </td>
              <td className="m-c">{methodWords[method]}</td>
              <td className="s-c">{refundKindWords[kind]}</td>
              <td className="num v-c">{formatDollars(cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
