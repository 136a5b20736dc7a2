import type { Screen } from "#admin/screen.ts";
import { bookkeepingScreens } from "#features/bookkeeping/admin/screens.tsx";
import { contentScreens, messagesScreens } from "#features/content/admin/screens.tsx";
import { catalogueScreens } from "#features/donations/admin/catalogue/catalogue-screens.tsx";
import { donationsScreens, madeRefundsScreens } from "#features/donations/admin/screens.tsx";
import { refundsScreens } from "#features/refunds/admin/screens.tsx";
import { settingsScreens } from "#features/settings/admin/screens.tsx";
import { staffScreens } from "#features/staff/admin/screens.tsx";
import { ticketsScreens } from "#features/tickets/admin/screens.tsx";
import { volunteeringScreens } from "#features/volunteering/admin/screens.tsx";

/** Every screen of the back office, in the order of the navigation. */
export const screens: readonly Screen[] = [
  ...donationsScreens,
  ...refundsScreens,
  ...madeRefundsScreens,
  ...ticketsScreens,
  ...bookkeepingScreens,
  ...volunteeringScreens,
  ...contentScreens,
  ...catalogueScreens,
  ...settingsScreens,
  ...staffScreens,
  ...messagesScreens,
];
