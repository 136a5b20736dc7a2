import type { Screen } from "#admin/screen.ts";
import { donationScreen } from "./donation-screen.tsx";
import { donationListScreen } from "./list/list-screen-row.tsx";
import { personScreen } from "./person-screen.tsx";
import { madeRefundsScreen } from "./refunds/made-refunds-screen.tsx";
import { refundFormScreen } from "./refunds/refund-form-screen.tsx";
import { refundScreen } from "./refunds/refund-screen.tsx";
import { refundsScreen } from "./refunds/refunds-screen.tsx";

export const donationsScreens: readonly Screen[] = [
  donationListScreen,
  donationScreen,
  personScreen,
  refundsScreen,
  madeRefundsScreen,
  refundScreen,
  refundFormScreen,
];
