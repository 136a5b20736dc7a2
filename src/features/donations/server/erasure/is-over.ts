import { sql } from "kysely";
import { paymentsAreOver } from "#payments/retention.ts";

/** Of a row of `donations`: its payment is decided, and its receipt issued. */
export const isOver = sql<boolean>`(not awaits_receipt and ${paymentsAreOver({ by: "donation_id", id: "donations.id" })})`;
