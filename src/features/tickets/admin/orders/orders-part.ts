import type { FastifyBaseLogger } from "fastify";
import { addExports, type ExportServices } from "#admin/export/export-routes.ts";
import type { AdminPart } from "#admin/feature.ts";
import { readPage } from "#admin/list-place.ts";
import { hasRight, type StaffMember } from "#admin/rights.ts";
import type { Database } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import {
  type ListedOrder,
  listOrders,
  listTicketedEvents,
  type OrderSums,
  sumOrders,
} from "../../server/staff/list-orders.ts";
import { findOrderDetails, type OrderDetails } from "../../server/staff/order-details.ts";
import { orderAuditFields, orderAuditWords, orderListAuditWords } from "./audit-words.ts";
import { exportedOrders } from "./export-orders.ts";
import { orderActions } from "./order-actions.ts";
import { type FilterEvent, type ReadOrderFilter, readOrderFilter } from "./read-filter.ts";

export type OrderAdminServices = CoreServices<"database" | "jobs" | "now", "secretKey"> &
  ExportServices & { readonly log: FastifyBaseLogger };

export type OrderList = ReadOrderFilter & {
  readonly events: readonly FilterEvent[];
  readonly mayExport: boolean;
  readonly rows: readonly ListedOrder[];
  /** Null if there are too many to add up. */
  readonly sums: OrderSums | null;
  /** The places where the newer and older pages begin, as texts for the address. */
  readonly newer: string | null;
  readonly older: string | null;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readOrders: (query: Readonly<Record<string, string>>, staff: StaffMember) => Promise<OrderList>;
    readonly findOrderDetails: (id: string) => Promise<OrderDetails | null>;
  }
}

const ROWS = 25;

/** The list of ticket orders, its exports, and each order with what staff can do. */
export function ordersPart(services: OrderAdminServices): AdminPart {
  const { database, now } = services;
  return {
    reads: {
      readOrders: (query: Readonly<Record<string, string>>, staff: StaffMember) => readOrders(database, query, staff),
      findOrderDetails: (id: string) => findOrderDetails(database, id, now()),
    },
    actions: orderActions(services),
    routes: (admin) => addExports(admin, services, exportedOrders(services)),
    auditWords: { ...orderAuditWords, ...orderListAuditWords },
    auditFields: orderAuditFields,
    auditSubjects: {
      ticket_order: {
        label: "ticket order",
        group: "Ticket orders",
        path: (id) => `/admin/orders/${id}`,
        listNames: (ids) => listReferences(database, ids),
        async find(text) {
          const order = database.selectFrom("ticket_orders").select("id");
          return (await order.where("reference", "=", text.trim().toUpperCase()).execute()).map(({ id }) => id);
        },
      },
      order: { label: "", group: "Ticket orders" },
      orders: { label: "", group: "Exports of ticket orders" },
    },
  };
}

async function listReferences(database: Database, ids: readonly string[]) {
  const rows = await database.selectFrom("ticket_orders").select(["id", "reference"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}

async function readOrders(
  database: Database,
  query: Readonly<Record<string, string>>,
  staff: StaffMember,
): Promise<OrderList> {
  const events = await listTicketedEvents(database);
  const read = readOrderFilter(query, events);
  const [page, sums] = await Promise.all([
    readPage(query, (edges) => listOrders(database, { filter: read.filter, ...edges, limit: ROWS })),
    sumOrders(database, read.filter),
  ]);
  return { ...read, events, sums, ...page, mayExport: hasRight(staff, "exports.make") };
}
