import { formatDay, formatDollars, keepTogether } from "#shared/language.ts";
import { type HistoryRow, type HistorySlice, type HistoryStatus, receiptRedirect } from "../../history.ts";

type HistoryTableProps = {
  readonly page: HistorySlice;
  readonly addressOf: (place: { after: string } | { before: string }) => string;
};

/** One page of donations, with Previous and Next (PRO-7). */
export function HistoryTable({ page, addressOf }: HistoryTableProps) {
  const { rows, newer, older } = page;
  return (
    <div className="plain-card">
      <table className="stacked">
        <caption className="sr">Donations, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Invoice number</th>
            <th scope="col">Payment date</th>
            <th scope="col" className="num">
              Amount
            </th>
            <th scope="col">Status</th>
            <th scope="col">Transaction ID</th>
            <th scope="col">Invoice</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <HistoryTableRow key={row.reference} row={row} />
          ))}
        </tbody>
      </table>
      {(newer !== null || older !== null) && (
        <nav className="history-pager" aria-label="Pages of your donations">
          <Step
            rel="prev"
            href={newer === null ? null : addressOf({ before: newer })}
            end="These are your newest donations."
          />
          <Step
            rel="next"
            href={older === null ? null : addressOf({ after: older })}
            end="These are your oldest donations."
          />
        </nav>
      )}
    </div>
  );
}

const tags: Readonly<Record<HistoryStatus, string>> = {
  Paid: "tag ok",
  Processing: "tag warn",
  Refunded: "tag",
  "Partly refunded": "tag",
};

function HistoryTableRow({ row }: { row: HistoryRow }) {
  const { reference, receiptNumber, paidOn, totalCents, status } = row;
  return (
    <tr>
      <th scope="row">{receiptNumber === "" ? <span className="muted">Not issued yet</span> : receiptNumber}</th>
      <td data-l="Payment date">
        <time dateTime={paidOn}>{keepTogether(formatDay(paidOn, { dateStyle: "medium" }))}</time>
      </td>
      <td data-l="Amount" className="num">
        {formatDollars(totalCents)}
      </td>
      <td data-l="Status">
        <span className={tags[status]}>{status}</span>
      </td>
      <td data-l="Transaction ID" className="reference">
        {reference}
      </td>
      <td data-l="Invoice">
        {receiptNumber === "" ? (
          <span className="muted">None</span>
        ) : (
          <a href={receiptRedirect(reference)} target="_blank" rel="noopener">
            Open<span className="sr"> receipt {receiptNumber} in a new tab</span>
          </a>
        )}
      </td>
    </tr>
  );
}

function Step({ rel, href, end }: { rel: "prev" | "next"; href: string | null; end: string }) {
  const label = rel === "prev" ? "Previous" : "Next";
  if (href !== null) {
    return (
      <a className="btn btn-quiet" href={`${href}#donations`} rel={rel}>
        {label}
      </a>
    );
  }
  const id = `history-${rel}`;
  return (
    <div className="at-end">
      <button className="btn btn-quiet" type="button" aria-disabled="true" aria-describedby={id}>
        {label}
      </button>
      <p className="hint" id={id}>
        {end}
      </p>
    </div>
  );
}
