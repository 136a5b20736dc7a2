import type { Screen } from "#admin/screen.ts";
import { accountsScreen } from "./accounts-screen.tsx";
import { failedJobsScreen } from "./failed-jobs-screen.tsx";
import { journalScreen } from "./journal-screen.tsx";
import { reconciliationScreens } from "./reconciliation-screens.tsx";
import { reportsScreen } from "./reports-screen.tsx";

/** The screens of bookkeeping, in the order of the navigation. */
export const bookkeepingScreens: readonly Screen[] = [
  ...reconciliationScreens,
  failedJobsScreen,
  reportsScreen,
  journalScreen,
  accountsScreen,
];
