import type { FastifyInstance, FastifyReply } from "fastify";
import type { Config } from "#shared/config.ts";
import type { Database } from "#shared/database/connect.ts";
import { opensDocument } from "#shared/links/document-links.ts";
import type { Organisation } from "#shared/organisation.ts";
import { ticketsCalendarPath, ticketsPdfPath } from "#shared/paths.ts";
import { findOrderFacts, paperOf } from "./letter-facts.ts";
import { orderCalendar } from "./order-calendar.ts";
import { renderTickets } from "./tickets-pdf.ts";

export type TicketDocumentServices = {
  readonly config: Pick<Config, "secretKey" | "publicUrl">;
  readonly database: Database;
  readonly organisation: { current(): Organisation };
  readonly now: () => Date;
};

type Asked = { Params: { id: string }; Querystring: { key?: unknown } };

/**
 * An order's tickets to print and its calendar file, behind the key of the order's own page. Without the key, or once no
 * ticket is left, they are simply not there.
 */
export function ticketDocuments(app: FastifyInstance, services: TicketDocumentServices): void {
  const { database, config, organisation, now } = services;
  const hide = { schema: { hide: true } as object };

  async function open({ id }: Asked["Params"], { key }: Asked["Querystring"]) {
    const isOpen = await opensDocument(services, { kind: "ticket_order", id }, key);
    const facts = isOpen ? await findOrderFacts(database, id, now()) : null;
    const paper = facts === null ? null : paperOf(facts, organisation.current(), config.secretKey);
    return facts === null || paper === null ? null : { facts, paper };
  }

  app.get<Asked>(ticketsPdfPath(":id"), hide, async (request, response) => {
    const opened = await open(request.params, request.query);
    if (opened === null) return response.callNotFound();
    const { facts, paper } = opened;
    const bytes = await renderTickets(paper);
    return keepPrivate(response)
      .type("application/pdf")
      .header("content-disposition", `inline; filename="tickets-${facts.order.reference}.pdf"`)
      .send(bytes);
  });

  app.get<Asked>(ticketsCalendarPath(":id"), hide, async (request, response) => {
    const opened = await open(request.params, request.query);
    if (opened === null) return response.callNotFound();
    const { facts } = opened;
    return keepPrivate(response)
      .type("text/calendar; charset=utf-8")
      .header("content-disposition", `attachment; filename="${facts.event.slug}.ics"`)
      .send(orderCalendar(facts, organisation.current(), config));
  });
}

function keepPrivate(response: FastifyReply): FastifyReply {
  return response.header("cache-control", "private, no-store").header("x-robots-tag", "noindex");
}
