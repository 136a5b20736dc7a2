import type { FastifyInstance } from "fastify";
import { senderOf } from "#payments/checkout/routes.ts";
import { accepted } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { mount } from "#shared/http/mount.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import {
  bookTicketsCall,
  cancelTicketsCall,
  findTicketEventCall,
  findTicketOrderCall,
  holdTicketsCall,
  joinWaitingListCall,
  leaveWaitingListCall,
  payTicketsCall,
  renameHolderCall,
} from "../contract.ts";
import { bookTickets } from "./book-tickets.ts";
import { type ChangeServices, cancelTickets, renameHolder } from "./change-tickets.ts";
import type { HoldServices } from "./hold/decide-hold.ts";
import { holdTickets } from "./hold/hold-tickets.ts";
import { payTickets, type TicketPayingServices } from "./pay-tickets.ts";
import { presentOrder, requireOrderKey } from "./present-order.ts";
import { findTicketedEvent } from "./sale.ts";
import { joinWaitingList, leaveWaitingList } from "./waiting/join-list.ts";

type TicketServices = TicketPayingServices & HoldServices & ChangeServices & { readonly sessions: Sessions };

export function ticketRoutes(app: FastifyInstance, services: TicketServices) {
  mount(app, findTicketEventCall, async ({ query }) => {
    const found = await findTicketedEvent(services, query.event, query.key);
    if (found === null) throw new AppError("not_found");
    return accepted(found.offer);
  });
  mount(app, holdTicketsCall, async ({ body }, request) => {
    const sender = senderOf(request);
    // A browser without the cookie gets one with this answer, and sends again.
    if (sender.browser === undefined) throw new AppError("csrf");
    return holdTickets(services, body, sender);
  });
  mount(app, joinWaitingListCall, async ({ body }, request) => {
    const userId = await services.sessions.findUserId(request);
    return joinWaitingList(services, body, { address: request.ip, userId });
  });
  mount(app, leaveWaitingListCall, async ({ params, body }) => {
    await leaveWaitingList(services, params.id, body);
    return accepted({}, "You have left the waiting list.");
  });
  mount(app, findTicketOrderCall, async ({ params, query }) => {
    await requireOrderKey(services, params.id, query.key);
    return accepted(await presentOrder(services, params.id, query.key));
  });
  mount(app, payTicketsCall, async ({ params, body }, request) => {
    const buyer = { ...senderOf(request), userId: await services.sessions.findUserId(request) };
    return payTickets(services, params.id.toLowerCase(), body, buyer);
  });
  mount(app, bookTicketsCall, async ({ params, body }, request) => {
    const buyer = { ...senderOf(request), userId: await services.sessions.findUserId(request) };
    return accepted(await bookTickets(services, params.id.toLowerCase(), body, buyer));
  });
  mount(app, cancelTicketsCall, async ({ params, body }) => {
    await requireOrderKey(services, params.id, body.key);
    return accepted(await cancelTickets(services, params.id.toLowerCase(), body));
  });
  mount(app, renameHolderCall, async ({ params, body }) => {
    await requireOrderKey(services, params.id, body.key);
    return accepted(await renameHolder(services, params.id.toLowerCase(), body));
  });
}
