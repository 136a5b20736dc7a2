import type { CoreServices } from "#shared/jobs/core-services.ts";
import { bookkeepingAdmin } from "../admin/admin-parts.ts";
import { keepBookDays } from "./book-days.ts";
import { keepDonorCounts } from "./donor-counts.ts";
import { bookkeepingHoldings } from "./retention.ts";
import "./tables.ts";

async function keepTotals({ database, now }: CoreServices<"database" | "now">) {
  await keepBookDays(database, now());
  await keepDonorCounts(database, now());
}

/** What bookkeeping adds to the server: reconciliation, failed emails, reports and the accounting journal for staff. */
export const bookkeeping = {
  problems: {},
  calls: () => {},
  emails: {},
  admin: bookkeepingAdmin,
  holdings: () => bookkeepingHoldings,
  scheduledTasks: [{ name: "totals for reports", every: "ten minutes", run: keepTotals }],
} as const;
