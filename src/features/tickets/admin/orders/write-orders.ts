import { type Cell, dayOf, exportFormats, type Rows, timeOf } from "#admin/export/export-formats.ts";
import type { ExportInput } from "#admin/export/export-routes.ts";
import { type ExportPlan, readInBatches } from "#shared/database/read-in-batches.ts";
import type { ExportedOrder } from "../../server/staff/export-orders.ts";
import { describeOrder } from "./order-words.ts";

type WriteOrdersInput = ExportInput & { readonly plan: ExportPlan };

/** The columns of the export, in their order; docs/back-office.md explains them. */
export const orderColumns: readonly { readonly name: string; readonly of: (order: ExportedOrder) => Cell }[] = [
  { name: "Day", of: ({ orderedAt }) => dayOf(orderedAt) },
  { name: "Time", of: ({ orderedAt }) => timeOf(orderedAt) },
  { name: "Order", of: ({ reference }) => reference },
  { name: "Event", of: ({ event }) => event },
  { name: "First name", of: ({ firstName }) => firstName },
  { name: "Last name", of: ({ lastName }) => lastName },
  { name: "Email", of: ({ email }) => email },
  { name: "State", of: (order) => describeOrder({ ...order, holdUntil: new Date(order.holdUntil) }, new Date()).label },
  { name: "Tickets", of: ({ tickets }) => ({ count: tickets }) },
  { name: "Cancelled", of: ({ cancelled }) => ({ count: cancelled }) },
  { name: "Types", of: ({ types }) => types },
  { name: "Amount", of: ({ totalCents }) => ({ cents: totalCents }) },
  { name: "Received", of: ({ isPaid, totalCents }) => ({ cents: isPaid ? totalCents : 0 }) },
  { name: "Refunded", of: ({ refundedCents }) => ({ cents: -refundedCents }) },
  { name: "Taken at the door", of: ({ takenCents }) => ({ cents: takenCents }) },
  { name: "To give back", of: ({ toGiveBackCents }) => ({ cents: -toGiveBackCents }) },
  { name: "Currency", of: ({ currency }) => currency },
  { name: "Provider", of: ({ provider }) => provider ?? "" },
  { name: "Transaction", of: ({ transactionId }) => transactionId ?? "" },
];

/** Writes ticket orders as a file, and returns their number. Runs in a thread of its own. */
export async function* writeOrders(input: WriteOrdersInput): AsyncGenerator<Buffer, number> {
  const { databaseUrl, plan, ending, note } = input;
  let count = 0;
  async function* listRows(): Rows {
    for await (const orders of readInBatches<ExportedOrder>(databaseUrl, plan)) {
      count += orders.length;
      yield orders.map((order) => orderColumns.map(({ of }) => of(order)));
    }
  }
  const names = orderColumns.map(({ name }) => name);
  yield* exportFormats[ending].write(listRows(), { title: "Ticket orders", names, note });
  return count;
}
