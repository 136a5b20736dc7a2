import { listMenu, type Screen, screen } from "#admin/screen.ts";
import { bookkeepingScreens } from "#features/bookkeeping/admin/screens.tsx";
import { contentScreens, messagesScreens } from "#features/content/admin/screens.tsx";
import { catalogueScreens } from "#features/donations/admin/catalogue/catalogue-screens.tsx";
import { donationsScreens, madeRefundsScreens } from "#features/donations/admin/screens.tsx";
import { refundsScreens } from "#features/refunds/admin/screens.tsx";
import { settingsScreens } from "#features/settings/admin/screens.tsx";
import { staffScreens } from "#features/staff/admin/screens.tsx";
import { doorScreens, ticketsScreens } from "#features/tickets/admin/screens.tsx";
import { volunteeringScreens } from "#features/volunteering/admin/screens.tsx";

/** Leads to the first screen of settings that the person may see. */
const firstOfSettings = screen<never>({
  path: "/admin/settings",
  right: "logged in",
  leadsTo: ({ staff }) =>
    (staff && listMenu(screens, staff, undefined).find(({ section }) => section === "settings")?.path) ?? null,
  load: async () => null,
  title: () => "Settings",
  body: () => null as never,
});

/** Every screen of the back office, in the order of the navigation. */
export const screens: readonly Screen[] = [
  ...donationsScreens,
  ...refundsScreens,
  ...madeRefundsScreens,
  ...ticketsScreens,
  ...bookkeepingScreens,
  ...volunteeringScreens,
  ...contentScreens,
  ...doorScreens,
  ...catalogueScreens,
  firstOfSettings,
  ...settingsScreens,
  ...staffScreens,
  ...messagesScreens,
];
