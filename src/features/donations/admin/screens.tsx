import type { Screen } from "#admin/screen.ts";
import { donationScreen } from "./donation-screen.tsx";
import { donationListScreen } from "./list/list-screen-row.tsx";
import { madeRefundsScreen } from "./made-refunds/made-refunds-screen.tsx";
import { erasePersonScreen } from "./person/erase-person-screen.tsx";
import { personScreen } from "./person-screen.tsx";
import { sendAgainScreen } from "./send-again/send-again-screen.tsx";

export const donationsScreens: readonly Screen[] = [
  donationListScreen,
  sendAgainScreen,
  donationScreen,
  personScreen,
  erasePersonScreen,
];
export const madeRefundsScreens: readonly Screen[] = [madeRefundsScreen];
