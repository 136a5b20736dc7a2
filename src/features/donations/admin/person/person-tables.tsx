import { RefundableStatus } from "#admin/ui/refundable-status.tsx";
import { tableCents } from "#admin/ui/table-cents.ts";
import { When } from "#admin/ui/when.tsx";
import { describePaymentState } from "#payments/payment-words.ts";
import { formatDollars, formatList, plural } from "#shared/language.ts";
import { formatReceiptNumber } from "../../receipt-number.ts";
import { MAX_LISTED } from "../../server/one-donation/person.ts";
import { Hidden } from "../donation/hidden.tsx";
import type { ShownPerson, ShownPersonDonation } from "./find-shown-person.ts";

/** What was given under this address, latest first, each with a link. */
export function PersonDonations({ person, now }: { person: ShownPerson; now: Date }) {
  const { donations, hidesFaith } = person;
  return (
    <section className="sec" aria-labelledby="gave">
      <div className="sec-h">
        <h2 id="gave">Donations</h2>
        {donations.length >= MAX_LISTED && <p>The latest {MAX_LISTED}</p>}
      </div>
      {donations.length === 0 ? (
        <p className="hint">Nothing was given with this email address.</p>
      ) : (
        <div className="tw">
          <table className="cards">
            <caption className="sr">Donations of this email address, latest first</caption>
            <thead>
              <tr>
                <th scope="col">For</th>
                <th scope="col">When</th>
                <th scope="col">Receipt</th>
                <th scope="col">State</th>
                <th scope="col" className="num">
                  Amount
                </th>
              </tr>
            </thead>
            <tbody>
              {donations.map((donation) => (
                <Row donation={donation} now={now} key={donation.id} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hidesFaith && (
        <p className="hint">
          What is hidden can show somebody’s faith. It is for those who may see Zakat and Qurban, and each look is
          recorded.
        </p>
      )}
    </section>
  );
}

function Row({ donation, now }: { donation: ShownPersonDonation; now: Date }) {
  const { id, reference, titles, hidden, receipt, totalCents, refundedCents } = donation;
  return (
    <tr data-id={id}>
      <th scope="row" className="k-c">
        <a className="k" href={`/admin/donations/${id}`}>
          {titles.length === 0 ? reference : <bdi>{formatList(titles, "comma")}</bdi>}
          {titles.length > 0 && <span className="sr"> {reference}</span>}
        </a>{" "}
        {hidden > 0 && (
          <Hidden>
            {titles.length === 0 ? "Hidden" : plural(hidden, { one: "and one hidden", other: `and ${hidden} hidden` })}
          </Hidden>
        )}
      </th>
      <td className="m-c">
        <When at={donation.at} now={now} />
      </td>
      <td className="m-c tn" data-l={receipt === null ? undefined : "Receipt"}>
        {receipt !== null && formatReceiptNumber(receipt)}
      </td>
      <td className="s-c">
        <RefundableStatus state={describePaymentState(donation.state)} refundRequest={donation.refundRequest} />
      </td>
      <td className="num v-c">
        {formatDollars(totalCents)}
        {refundedCents > 0 && <span className="two-l">{tableCents(totalCents - refundedCents)} kept</span>}
      </td>
    </tr>
  );
}

/** Sums of the financial years, which begin in July. */
export function PersonYears({ person: { years, hidesFaith }, id }: { person: ShownPerson; id: string }) {
  if (years.length === 0) return null;
  return (
    <section className="sec" aria-labelledby="years">
      <div className="sec-h">
        <h2 id="years">By financial year</h2>
      </div>
      <div className="tw">
        <table className="cards">
          <caption className="sr">What was paid in each financial year, and what of it was refunded since</caption>
          <thead>
            <tr>
              <th scope="col">Year</th>
              <th scope="col" className="num">
                Donations
              </th>
              <th scope="col" className="num">
                Paid
              </th>
              <th scope="col" className="num">
                Refunded
              </th>
              <th scope="col" className="num">
                Kept
              </th>
              <th scope="col">
                <span className="sr">Document</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {years.map(({ endsIn, count, givenCents, refundedCents }) => (
              <tr key={endsIn}>
                <th scope="row" className="k-c tn">
                  {nameYear(endsIn)}
                </th>
                <td className="num m-c" data-l="Donations">
                  {count}
                </td>
                <td className="num m-c" data-l="Paid">
                  {tableCents(givenCents)}
                </td>
                <td className="num m-c" data-l="Refunded">
                  {tableCents(refundedCents)}
                </td>
                <td className="num v-c">{tableCents(givenCents - refundedCents)}</td>
                <td className="w-c">
                  {hidesFaith ? (
                    <Hidden>Hidden</Hidden>
                  ) : (
                    <a href={`/admin/people/${id}/summaries/${endsIn}`}>
                      Summary<span className="sr"> of {nameYear(endsIn)} as a PDF</span>
                    </a>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** 2026–27 for the year that ends in 2027. */
const nameYear = (endsIn: number) => `${endsIn - 1}–${String(endsIn % 100).padStart(2, "0")}`;
