import type { Screen } from "#admin/screen.ts";
import { orderScreen } from "./orders/order-screen.tsx";
import { ordersScreen } from "./orders/orders-screen.tsx";

export const ticketsScreens: readonly Screen[] = [ordersScreen, orderScreen];
