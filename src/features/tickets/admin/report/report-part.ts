import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import type { Fees } from "#payments/fees.ts";
import { BYTE_ORDER_MARK, csvLine } from "#shared/csv.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import { clockIn } from "#shared/language.ts";
import { type EventReport, listAttendance, readEventReport } from "../../server/staff/event-report.ts";
import { requireEvent, type TicketAdminServices } from "../ticket-services.ts";

export type ReportServices = TicketAdminServices & {
  readonly staffSessions: StaffSessions;
  readonly fees: { current(): Fees };
};
export type ReportOfEvent = EventReport & {
  readonly event: EventOfScreen;
  /** What the providers keep, as far as the settings know: rates in basis points. */
  readonly rates: Fees["merchantBasisPoints"];
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** Null if there is no such event. */
    readonly findEventReport: (screenId: string) => Promise<ReportOfEvent | null>;
  }
}

/** What an event sold and gave back, who came, and the list of its holders as a file. */
export function reportPart(services: ReportServices): AdminPart {
  const { database, fees } = services;
  return {
    reads: {
      findEventReport: async (screenId: string): Promise<ReportOfEvent | null> => {
        const event = await findEventOfScreen(database, screenId);
        if (event === null) return null;
        return { event, rates: fees.current().merchantBasisPoints, ...(await readEventReport(database, event.id)) };
      },
    },
    routes: (admin: FastifyInstance) => {
      const config = { access: "events.change", needsProof: true } as const;
      admin.get("/admin/events/:id/attendance.csv", { config, schema: { hide: true } as object }, (request, reply) =>
        sendAttendance(services, request, reply),
      );
    },
  };
}

/** The columns of the file; docs/back-office.md explains them. */
const columns = ["Name", "Ticket", "Number", "Order", "State", "Came at", "Door"];

/** The file has names, so the audit trail records who took it. */
async function sendAttendance(
  { database, staffSessions, now }: ReportServices,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const event = await requireEvent(database, (request.params as { id: string }).id);
  const { staff } = (await staffSessions.find(request))!;
  const act = { verb: "events.export_attendance", subject: "events", subjectId: String(event.screenId) };
  await recordAct(database, { staff, ipAddress: request.ip }, act, now());
  const rows = await listAttendance(database, event.id);
  const lines = rows.map(({ holder, type, number, order, isCancelled, cameAt, place }) =>
    csvLine([
      holder,
      type,
      number,
      order,
      isCancelled ? "Cancelled" : "Valid",
      cameAt === null ? "" : clockIn(event.timeZone, cameAt).slice(0, 16).replace("T", " "),
      place,
    ]),
  );
  return reply
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="attendance-${event.slug}.csv"`)
    .send(BYTE_ORDER_MARK + csvLine(columns) + lines.join(""));
}
