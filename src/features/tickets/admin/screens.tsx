import type { Screen } from "#admin/screen.ts";
import { callOffScreen } from "./call-off/call-off-screen.tsx";
import { codeScreen, codesScreen } from "./codes/codes-screen.tsx";
import { doorScreen } from "./door/door-screen.tsx";
import { ownPhoneScreen, phoneScreen } from "./door/phone-screens.tsx";
import { giveScreen } from "./give/give-screen.tsx";
import { holderEmailsScreen } from "./holder-emails/holder-emails-screen.tsx";
import { movesScreen } from "./moves/moves-screen.tsx";
import { orderScreen } from "./orders/order-screen.tsx";
import { ordersScreen } from "./orders/orders-screen.tsx";
import { reportScreen } from "./report/report-screen.tsx";
import { newTypeScreen, typeScreen } from "./ticket-types/type-screen.tsx";
import { typesScreen } from "./ticket-types/types-screen.tsx";
import { waitingScreen } from "./waiting/waiting-screen.tsx";

/** Ticket orders, and the screens about an event's tickets. */
export const ticketsScreens: readonly Screen[] = [
  ordersScreen,
  orderScreen,
  typesScreen,
  newTypeScreen,
  typeScreen,
  codesScreen,
  codeScreen,
  callOffScreen,
  movesScreen,
  doorScreen,
  giveScreen,
  waitingScreen,
  holderEmailsScreen,
  reportScreen,
];

/** The door, after the list of events in the navigation. */
export const doorScreens: readonly Screen[] = [ownPhoneScreen, phoneScreen];
