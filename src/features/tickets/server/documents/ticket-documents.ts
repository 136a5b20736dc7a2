import type { FastifyInstance } from "fastify";
import { readDocumentLook } from "#shared/brand/document-look.ts";
import { sendPdf } from "#shared/http/send-pdf.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { opensDocument } from "#shared/links/document-links.ts";
import { ticketsCalendarPath, ticketsPdfPath } from "#shared/paths.ts";
import { findOrderFacts, renderTickets, ticketDocumentOf } from "../order-facts.ts";
import { orderCalendar } from "./order-calendar.ts";

type TicketDocumentServices = CoreServices<"database" | "files" | "organisation" | "now", "secretKey" | "publicUrl">;

type DocumentRoute = { Params: { id: string }; Querystring: { key?: unknown } };

/** An order's tickets as a PDF, and its calendar file. Not found without the order's key or any valid ticket. */
export function ticketDocuments(app: FastifyInstance, services: TicketDocumentServices): void {
  const { database, config, organisation, now } = services;
  const hide = { schema: { hide: true } as object };

  async function open({ id }: DocumentRoute["Params"], { key }: DocumentRoute["Querystring"]) {
    const isOpen = await opensDocument(services, { kind: "ticket_order", id }, key);
    const facts = isOpen ? await findOrderFacts(database, id, now()) : null;
    const document = facts === null ? null : ticketDocumentOf(facts, organisation.current(), config.secretKey);
    return facts === null || document === null ? null : { facts, document };
  }

  app.get<DocumentRoute>(ticketsPdfPath(":id"), hide, async (request, response) => {
    const opened = await open(request.params, request.query);
    if (opened === null) return response.callNotFound();
    const { facts, document } = opened;
    const bytes = await renderTickets(document, await readDocumentLook(services));
    return sendPdf(response, `tickets-${facts.order.reference}`, bytes);
  });

  app.get<DocumentRoute>(ticketsCalendarPath(":id"), hide, async (request, response) => {
    const opened = await open(request.params, request.query);
    if (opened === null) return response.callNotFound();
    const { facts } = opened;
    return response
      .header("cache-control", "private, no-store")
      .header("x-robots-tag", "noindex")
      .type("text/calendar; charset=utf-8")
      .header("content-disposition", `attachment; filename="${facts.event.slug}.ics"`)
      .send(orderCalendar(facts, organisation.current(), config));
  });
}
