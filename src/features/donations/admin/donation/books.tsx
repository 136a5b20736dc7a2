import { tableCents } from "#admin/ui/table-cents.ts";
import { When } from "#admin/ui/when.tsx";
import { formatDollars } from "#shared/language.ts";
import { describeAccount } from "./describe-donation.ts";
import type { ShownDonation, ShownEntry } from "./find-donation.ts";
import { Hidden } from "./hidden.tsx";

/** Both sides of the ledger, a group of lines for each time that something was booked. */
export function Books({ donation }: { donation: ShownDonation }) {
  const { ledger } = donation;
  const debits = ledger.reduce((sum, { amount_cents }) => sum + Math.max(0, amount_cents), 0);
  const credits = ledger.reduce((sum, { amount_cents }) => sum + Math.max(0, -amount_cents), 0);
  const groups = Map.groupBy(ledger, ({ transaction_id }) => transaction_id);
  return (
    <section className="sec" aria-labelledby="books">
      <div className="sec-h">
        <h2 id="books">In the books</h2>
      </div>
      {ledger.length === 0 ? (
        <p className="muted">Nothing is on the books, because nothing was charged.</p>
      ) : (
        <div className="tw">
          <table className="cards">
            <caption className="sr">Ledger lines of this donation</caption>
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col">What it says</th>
                <th scope="col">Booked</th>
                <th scope="col" className="num">
                  Debit
                </th>
                <th scope="col" className="num">
                  Credit
                </th>
              </tr>
            </thead>
            {[...groups].map(([id, entries]) => (
              <tbody key={id}>
                {entries.map((entry) => (
                  <Entry entry={entry} key={entry.id} />
                ))}
              </tbody>
            ))}
            <tfoot>
              <tr>
                <th scope="row" colSpan={3}>
                  {debits === credits ? "Debits equal credits" : "Debits and credits differ"}
                </th>
                <td className="num m-c" data-l="Debits">
                  {formatDollars(debits)}
                </td>
                <td className="num v-c">{formatDollars(credits)}</td>
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </section>
  );
}

function Entry({ entry }: { entry: ShownEntry }) {
  const { account, amount_cents, at, isHidden, refund_id } = entry;
  const words = isHidden ? "A gift" : describeAccount(entry);
  return (
    <tr>
      <th scope="row" className="k-c">
        {isHidden ? <Hidden /> : <code>{account}</code>}
      </th>
      <td className="m-c">{refund_id === null ? words : `${words}, refunded`}</td>
      <td className="m-c">
        <When at={at} />
      </td>
      <td className={amount_cents > 0 ? "num v-c" : "num no-c"} data-l={amount_cents > 0 ? "Debit" : undefined}>
        {amount_cents > 0 && tableCents(amount_cents)}
      </td>
      <td className={amount_cents < 0 ? "num v-c" : "num no-c"} data-l={amount_cents < 0 ? "Credit" : undefined}>
        {amount_cents < 0 && tableCents(-amount_cents)}
      </td>
    </tr>
  );
}
