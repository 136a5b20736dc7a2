import { Status } from "#admin/ui/status.tsx";
import { When } from "#admin/ui/when.tsx";
import { formatDollars } from "#shared/language.ts";
import { ANONYMOUS_DONOR } from "../../donor.ts";
import { formatReceiptNumber } from "../../receipt-number.ts";
import { deductibleCents } from "../../server/donation-sums.ts";
import type { DetailedReceipt } from "../../server/one-donation/donation-details.ts";
import type { ShownDonation } from "./find-donation.ts";
import { Hidden } from "./hidden.tsx";

/** The receipts, void ones too, latest first. */
export function ReceiptsTable({ donation }: { donation: ShownDonation }) {
  const { receipts } = donation;
  return (
    <section className="sec" aria-labelledby="receipts">
      <div className="sec-h">
        <h2 id="receipts">Receipts</h2>
      </div>
      {receipts.length === 0 ? (
        <p className="muted">
          {donation.awaits_receipt
            ? "The receipt waits for the organisation’s details, and follows automatically."
            : "No receipt has been issued."}
        </p>
      ) : (
        <div className="tw">
          <table className="cards">
            <caption className="sr">Receipts of this donation, latest first</caption>
            <thead>
              <tr>
                <th scope="col">Number</th>
                <th scope="col">Issued</th>
                <th scope="col">In the name of</th>
                <th scope="col">State</th>
                <th scope="col" className="num">
                  Gift
                </th>
                <th scope="col">
                  <span className="sr">Document</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {receipts.map((receipt) => (
                <Row receipt={receipt} donation={donation} key={receipt.number} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ receipt, donation }: { receipt: DetailedReceipt; donation: ShownDonation }) {
  const number = formatReceiptNumber(receipt.number);
  const { data } = receipt;
  return (
    <tr>
      <th scope="row" className="k-c nowrap tn">
        {number}
      </th>
      <td className="m-c">
        <When at={receipt.issued_at} />
      </td>
      <td className="m-c">
        <bdi>{data !== null && (data.donorName ?? ANONYMOUS_DONOR)}</bdi>
      </td>
      <td className="s-c">
        <ReceiptState receipt={receipt} donation={donation} />
      </td>
      <td className="num v-c">
        {donation.hidesFaith ? "Hidden" : data === null ? "" : formatDollars(deductibleCents(data))}
      </td>
      <td className="w-c">
        {donation.hidesFaith || data === null ? (
          <Hidden>Hidden</Hidden>
        ) : (
          <a href={`/admin/donations/${donation.id}/receipts/${number}`}>
            PDF<span className="sr"> of receipt {number}</span>
          </a>
        )}
      </td>
    </tr>
  );
}

function ReceiptState({ receipt, donation }: { receipt: DetailedReceipt; donation: ShownDonation }) {
  if (receipt.voided_at === null) return <Status look="ok">Valid</Status>;
  const successor = donation.receipts.find(({ replaces }) => replaces === receipt.number);
  return (
    <Status look="off" icon="void">
      {successor === undefined ? "Void" : `Void, replaced by ${formatReceiptNumber(successor.number)}`}
    </Status>
  );
}
