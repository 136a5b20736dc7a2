import type { Screen } from "#admin/screen.ts";
import { brandScreen } from "./brand/brand-screen.tsx";
import { emailScreen } from "./emails/email-screen.tsx";
import { emailsScreen } from "./emails/emails-screen.tsx";
import { feesScreen } from "./fees/fees-screen.tsx";
import { goingLiveScreen } from "./going-live/going-live-screen.tsx";
import { organisationScreens } from "./organisation/organisation-screens.tsx";

export const settingsScreens: readonly Screen[] = [
  ...organisationScreens,
  brandScreen,
  feesScreen,
  emailsScreen,
  emailScreen,
  goingLiveScreen,
];
