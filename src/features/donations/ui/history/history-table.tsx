import { keepTogether } from "#shared/keep-together.ts";
import { formatDollars } from "#shared/money.ts";
import { type GivingPage, type GivingRow, type GivingStatus, receiptDoor } from "../../history.ts";

type GivingTableProps = {
  readonly page: GivingPage;
  /** The address of the piece behind a row, or before it. */
  readonly addressOf: (place: { after: string } | { before: string }) => string;
};

/** Ten donations, and the way to those before and after them (PRO-7). */
export function GivingTable({ page, addressOf }: GivingTableProps) {
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
            <Giving key={row.reference} row={row} />
          ))}
        </tbody>
      </table>
      {(newer !== null || older !== null) && (
        <nav className="history-pager" aria-label="Pages of your donations">
          <Step
            label="Previous"
            href={newer === null ? null : addressOf({ before: newer })}
            end="These are your newest donations."
          />
          <Step
            label="Next"
            href={older === null ? null : addressOf({ after: older })}
            end="These are your oldest donations."
          />
        </nav>
      )}
    </div>
  );
}

const tags: Readonly<Record<GivingStatus, string>> = {
  Paid: "tag ok",
  Processing: "tag warn",
  Refunded: "tag",
  "Partly refunded": "tag",
};

function Giving({ row }: { row: GivingRow }) {
  const { reference, receiptNumber, paidOn, totalCents, status } = row;
  return (
    <tr>
      <td data-l="Invoice number">
        {receiptNumber === "" ? <span className="muted">Not issued yet</span> : <b>{receiptNumber}</b>}
      </td>
      <td data-l="Payment date">
        <time dateTime={paidOn}>{keepTogether(shortDate.format(new Date(`${paidOn}T00:00:00Z`)))}</time>
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
          <a href={receiptDoor(reference)} target="_blank" rel="noopener">
            Open<span className="sr"> receipt {receiptNumber} in a new tab</span>
          </a>
        )}
      </td>
    </tr>
  );
}

const shortDate = new Intl.DateTimeFormat("en-AU", { dateStyle: "medium", timeZone: "UTC" });

function Step({ label, href, end }: { label: "Previous" | "Next"; href: string | null; end: string }) {
  if (href !== null) {
    return (
      <a className="btn btn-quiet" href={`${href}#donations`} rel={label === "Next" ? "next" : "prev"}>
        {label}
      </a>
    );
  }
  const id = `history-${label.toLowerCase()}`;
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
