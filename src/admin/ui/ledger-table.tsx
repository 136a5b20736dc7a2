import type { ReactNode } from "react";
import { formatDollars } from "#shared/language.ts";
import { tableCents } from "./table-cents.ts";
import { When } from "./when.tsx";

type LedgerEntry = {
  readonly id: number;
  readonly transaction_id: string;
  /** Debits are positive, credits negative. */
  readonly amount_cents: number;
  readonly at: Date;
  readonly refund_id: string | null;
};

const receivables: Readonly<Record<string, string>> = {
  "receivable:payway": "PayWay owes us",
  "receivable:braintree": "PayPal owes us",
};

/** What an account means that every payment has, whatever it was for. */
export const describeReceivable = (account: string): string | undefined => receivables[account];

type Props<Entry> = {
  readonly entries: readonly Entry[];
  /** What the entries are of, for the caption: 'donation', 'order'. */
  readonly subject: string;
  /** Whether it is still open if the payment is charged. */
  readonly isUndecided: boolean;
  describe(entry: Entry): { readonly account: ReactNode; readonly meaning: string };
};

/** Both sides of the ledger, a group of lines for each time that something was booked. */
export function LedgerTable<Entry extends LedgerEntry>({ entries, subject, isUndecided, describe }: Props<Entry>) {
  const debits = entries.reduce((sum, { amount_cents }) => sum + Math.max(0, amount_cents), 0);
  const credits = entries.reduce((sum, { amount_cents }) => sum + Math.max(0, -amount_cents), 0);
  const groups = Map.groupBy(entries, ({ transaction_id }) => transaction_id);
  return (
    <section className="sec" aria-labelledby="books">
      <div className="sec-h">
        <h2 id="books">In the books</h2>
      </div>
      {entries.length === 0 ? (
        <p className="muted">
          {isUndecided
            ? "Nothing is on the books yet: it is not known whether anything was charged."
            : "Nothing is on the books, because nothing was charged."}
        </p>
      ) : (
        <div className="tw">
          <table className="cards">
            <caption className="sr">Ledger lines of this {subject}</caption>
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
            {[...groups].map(([id, group]) => (
              <tbody key={id}>
                {group.map((entry) => (
                  <EntryRow {...entry} {...describe(entry)} key={entry.id} />
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

type EntryRowProps = Pick<LedgerEntry, "amount_cents" | "at" | "refund_id"> & ReturnType<Props<unknown>["describe"]>;

function EntryRow({ account, meaning, amount_cents, at, refund_id }: EntryRowProps) {
  return (
    <tr>
      <th scope="row" className="k-c">
        {account}
      </th>
      <td className="m-c">{refund_id === null ? meaning : `${meaning}, refunded`}</td>
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
