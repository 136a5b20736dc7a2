import { sql } from "kysely";
import { findSolved, spendEffort } from "#shared/captcha/captcha.ts";
import type { Connection } from "#shared/database/connect.ts";
import { isRaised, raised } from "#shared/database/raised.ts";
import { AppError } from "#shared/errors.ts";
import { requireDocumentKey } from "#shared/links/document-links.ts";
import { findCountryByName } from "#shared/places/store.ts";
import type { FreeBooking, TicketOrder } from "../contract.ts";
import type { HoldServices } from "./hold/decide-hold.ts";
import { unheldProblem } from "./pay-tickets.ts";
import { presentOrder } from "./present-order.ts";
import { findOrder } from "./store.ts";

/** Nobody pays for free seats, so each order costs this effort; the page makes it by itself. */
const BOOKING_EFFORT = 4;

type BookingBuyer = { readonly address: string; readonly userId: number | null };

/**
 * Books a held order that costs nothing: the buyer, the tickets, their email and the seats in one transaction. A copy of
 * the request gets the same order.
 * @throws AppError `not_found`, `invalid_input`, `captcha_dearer`, `sales_stopped`, `hold_lapsed`
 */
export async function bookTickets(
  services: HoldServices,
  orderId: string,
  booking: FreeBooking,
  { address, userId }: BookingBuyer,
): Promise<TicketOrder> {
  const { database, now, work } = services;
  await requireDocumentKey(services, { kind: "ticket_order", id: orderId }, booking.key);
  const order = await findOrder(database, orderId);
  if (order === undefined) throw new AppError("not_found");
  const present = () => presentOrder(services, orderId, booking.key);
  if (order.paid_by === "free") return present();
  if (order.total_cents > 0) {
    throw new AppError("invalid_input", { fields: { total: ["This order costs money. Please reload the page"] } });
  }
  if ((await findCountryByName(database, booking.country)) === undefined) {
    throw new AppError("invalid_input", { fields: { country: ["Choose a country from the list"] } });
  }
  const at = now();
  const solved = await findSolved(work, booking.captcha, { action: "hold", address, now: at });
  try {
    await database.transaction().execute(async (transaction) => {
      await spendEffort(transaction, solved, { effort: BOOKING_EFFORT, now: at });
      await settleFreeOrder(transaction, { orderId, buyer: { ...booking, userId }, at });
    });
  } catch (error) {
    // Another copy was faster.
    if (error instanceof AppError && error.problem === "order_closed") return present();
    throw error;
  }
  return present();
}

type Booked = { readonly orderId: string; readonly buyer: FreeBooking & { userId: number | null }; readonly at: Date };

/** @throws AppError `order_closed`, `sales_stopped`, `hold_lapsed` */
async function settleFreeOrder(transaction: Connection, { orderId, buyer, at }: Booked): Promise<void> {
  const paid = {
    email: buyer.email,
    first_name: buyer.firstName,
    last_name: buyer.lastName,
    country: buyer.country,
    phone: buyer.phone ?? "",
    address: buyer.address ?? "",
    postcode: buyer.postcode ?? "",
    suburb: buyer.suburb ?? "",
    user_id: buyer.userId,
  };
  const emails = [{ template: "tickets", orderId }];
  try {
    await sql`
      select settle_free_order(${orderId}, ${JSON.stringify(paid)}, ${JSON.stringify(emails)}, ${at})`.execute(
      transaction,
    );
  } catch (error) {
    if (!isRaised(error, raised.orderNotHeld)) throw error;
    throw new AppError(unheldProblem(error), { cause: error });
  }
}
