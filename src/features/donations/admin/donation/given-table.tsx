import { tableCents } from "#admin/ui/table-cents.ts";
import { isPaid } from "#payments/states.ts";
import { formatDollars, formatList } from "#shared/language.ts";
import { recordedTitle } from "../../server/donation-record.ts";
import type { ShownDonation, ShownLine } from "./find-donation.ts";
import { Hidden } from "./hidden.tsx";

const kinds = { gift: "Gift", not_deductible: "Not deductible" } as const;

/** What was given: the lines with their shares of the fees, and their total, which may not have been charged. */
export function GivenTable({ donation }: { donation: ShownDonation }) {
  const { lines, subtotal_cents, admin_fee_cents, merchant_fee_cents, total_cents, hidesFaith } = donation;
  const fees = admin_fee_cents + merchant_fee_cents;
  return (
    <section aria-labelledby="given">
      <div className="sec-h">
        <h2 id="given">What was given</h2>
      </div>
      <div className="tw">
        <table className="cards">
          <caption className="sr">Lines of the donation with their shares of the fees</caption>
          <thead>
            <tr>
              <th scope="col">For</th>
              <th scope="col">On the receipt</th>
              <th scope="col" className="num">
                Admin fee
              </th>
              <th scope="col" className="num">
                Merchant fee
              </th>
              <th scope="col" className="num">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Line line={line} key={line.position} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                {donation.payments.some(({ state }) => isPaid(state)) ? "Charged" : "Total"}
                <span className="two-l">
                  {fees === 0 ? "Without fees" : `${formatDollars(subtotal_cents)} and fees of ${formatDollars(fees)}`}
                </span>
              </th>
              <td className="num no-c">{tableCents(admin_fee_cents)}</td>
              <td className="num no-c">{tableCents(merchant_fee_cents)}</td>
              <td className="num v-c">{formatDollars(total_cents)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      {hidesFaith && (
        <p className="hint">
          What is hidden can show somebody’s faith. It is for those who may see Zakat and Qurban, and each look is
          recorded.
        </p>
      )}
    </section>
  );
}

function Line({ line }: { line: ShownLine }) {
  const names = line.on_behalf_of;
  return (
    <tr>
      <th scope="row" className="k-c">
        {line.isHidden ? <Hidden /> : <bdi>{recordedTitle(line)}</bdi>}
        {line.quantity > 1 && ` × ${line.quantity}`}
        {names.length > 0 && (
          <span className="two-l">
            On behalf of <bdi>{formatList(names, "comma")}</bdi>
          </span>
        )}
      </th>
      <td className="m-c">{line.isHidden ? "Hidden" : kinds[line.receipt_kind]}</td>
      <td className="num m-c" data-l="Admin fee">
        {tableCents(line.admin_share_cents)}
      </td>
      <td className="num m-c" data-l="Merchant fee">
        {tableCents(line.merchant_share_cents)}
      </td>
      <td className="num v-c">{tableCents(line.line_cents)}</td>
    </tr>
  );
}
