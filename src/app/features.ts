import { accounts } from "#features/accounts/server/feature.ts";
import { bookkeeping } from "#features/bookkeeping/server/feature.ts";
import { content } from "#features/content/server/feature.ts";
import { donations } from "#features/donations/server/feature.ts";
import { refunds } from "#features/refunds/server/feature.ts";
import { settings } from "#features/settings/server/feature.ts";
import { staff } from "#features/staff/server/feature.ts";
import { tickets } from "#features/tickets/server/feature.ts";
import { volunteering } from "#features/volunteering/server/feature.ts";
import { payments } from "#payments/feature.ts";

/** All features, as `feature.ts` describes them; the privacy policy lists what they keep in this order. */
export const features = [
  donations,
  tickets,
  refunds,
  payments,
  accounts,
  volunteering,
  content,
  staff,
  bookkeeping,
  settings,
] as const;
