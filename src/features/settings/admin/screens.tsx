import type { Screen } from "#admin/screen.ts";
import { brandScreen } from "./brand/brand-screen.tsx";
import { emailScreen } from "./emails/email-screen.tsx";
import { emailsScreen } from "./emails/emails-screen.tsx";
import { feesScreen } from "./fees/fees-screen.tsx";
import { goingLiveScreen } from "./going-live/going-live-screen.tsx";
import { legalTextsScreen } from "./legal-texts/legal-texts-screen.tsx";
import { mailScreen } from "./mail/mail-screen.tsx";
import { organisationScreens } from "./organisation/organisation-screens.tsx";
import { paymentsScreen } from "./payments/payments-screen.tsx";
import { serverScreen } from "./server-settings/server-screen.tsx";
import { setUpScreen } from "./set-up/set-up-screen.tsx";

export const settingsScreens: readonly Screen[] = [
  ...organisationScreens,
  brandScreen,
  feesScreen,
  emailsScreen,
  emailScreen,
  legalTextsScreen,
  paymentsScreen,
  mailScreen,
  serverScreen,
  goingLiveScreen,
  setUpScreen,
];
