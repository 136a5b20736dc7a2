import { describeReceivable, LedgerTable } from "#admin/ui/ledger-table.tsx";
import { isUndecided } from "#payments/states.ts";
import type { ShownDonation, ShownEntry } from "./find-donation.ts";
import { Hidden } from "./hidden.tsx";

/** What the ledger has of the donation. */
export function Books({ donation: { ledger, payments } }: { donation: ShownDonation }) {
  return (
    <LedgerTable
      entries={ledger}
      subject="donation"
      isUndecided={payments.some(({ state }) => isUndecided(state))}
      describe={(entry) =>
        entry.isHidden
          ? { account: <Hidden />, meaning: "A gift" }
          : { account: <code>{entry.account}</code>, meaning: describeAccount(entry) }
      }
    />
  );
}

function describeAccount({ account, fundTitle }: ShownEntry): string {
  if (account === "fees:admin") return "Admin fee";
  if (account === "fees:merchant") return "Merchant fee";
  return describeReceivable(account) ?? `Given for ${fundTitle ?? account.replace(/^donations:/, "")}`;
}
