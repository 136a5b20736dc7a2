import { recordAct } from "#admin/audit.ts";
import { showsFaith } from "#admin/faith.ts";
import { hasRight } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import type { Database } from "#shared/database/connect.ts";
import { type DonationDetails, findDonationDetails } from "../../server/one-donation/donation-details.ts";

/** Who looks, and from where. */
export type DonationReader = Pick<ScreenRequest, "staff" | "ipAddress">;

export type ShownLine = DonationDetails["lines"][number] & { readonly isHidden: boolean };
export type ShownEntry = DonationDetails["ledger"][number] & { readonly isHidden: boolean };
export type ShownDonation = Omit<DonationDetails, "lines" | "ledger"> & {
  readonly lines: readonly ShownLine[];
  readonly ledger: readonly ShownEntry[];
  /** Whether something of it shows faith; without the right, that is left out. */
  readonly hasFaith: boolean;
  readonly hidesFaith: boolean;
};

/**
 * A donation as this person may see it. Without the right, what shows faith is left out; with it, the look is recorded.
 */
export async function findDonation(
  { database, now }: { readonly database: Database; readonly now: () => Date },
  id: string,
  reader: DonationReader,
): Promise<ShownDonation | null> {
  const found = await findDonationDetails(database, id);
  if (found === null) return null;
  const hasFaith = found.lines.some(({ fund }) => showsFaith(fund)) || found.ledger.some(isFaithEntry);
  const hidesFaith = hasFaith && !(await maySeeFaith({ database, now }, id, reader));
  return {
    ...found,
    hasFaith,
    hidesFaith,
    lines: found.lines.map((line) => {
      if (!hidesFaith || !showsFaith(line.fund)) return { ...line, isHidden: false };
      return { ...line, fund: "", category_title: "", subcategory_title: "", on_behalf_of: [], isHidden: true };
    }),
    ledger: found.ledger.map((entry) =>
      hidesFaith && isFaithEntry(entry)
        ? { ...entry, account: "", fundTitle: null, isHidden: true }
        : { ...entry, isHidden: false },
    ),
    receipts: found.receipts.map((receipt) => (hidesFaith ? withoutLines(receipt) : receipt)),
  };
}

const isFaithEntry = ({ account }: { readonly account: string }) =>
  account.startsWith("donations:") && showsFaith(account.slice("donations:".length));

/**
 * Whether somebody may see what shows faith, in one donation or in a person's donations. If so, the look is recorded.
 */
export async function maySeeFaith(
  { database, now }: { readonly database: Database; readonly now: () => Date },
  subjectId: string,
  { staff, ipAddress }: DonationReader,
  subject: "donation" | "person" = "donation",
): Promise<boolean> {
  if (staff === null || !hasRight(staff, "faith.see")) return false;
  await recordAct(database, { staff, ipAddress }, { verb: "faith.see", subject, subjectId }, now());
  return true;
}

/** Leaves out what would show the fund: the titles of a receipt's lines, and how much of it was a gift. */
function withoutLines(receipt: DonationDetails["receipts"][number]): DonationDetails["receipts"][number] {
  return { ...receipt, data: receipt.data && { ...receipt.data, lines: [] } };
}
