import type { Screen } from "#admin/screen.ts";
import { refundFormScreens } from "./refund-form-screen.tsx";
import { refundScreen } from "./refund-screen.tsx";
import { refundsScreen } from "./refunds-screen.tsx";

export const refundsScreens: readonly Screen[] = [refundsScreen, refundScreen, ...refundFormScreens];
