import type { AdminPart } from "#admin/feature.ts";
import { ticketAuditFields, ticketAuditWords } from "./audit-words.ts";
import { type CallOffAdminServices, callOffPart } from "./call-off/call-off-part.ts";
import { codesPart } from "./codes/codes-part.ts";
import { type DoorAdminServices, doorPart } from "./door/door-part.ts";
import { givePart } from "./give/give-part.ts";
import { type HolderEmailAdminServices, holderEmailsPart } from "./holder-emails/holder-emails-part.ts";
import { type MoveAdminServices, movesPart } from "./moves/moves-part.ts";
import { orderPersonPart } from "./order-person-part.ts";
import { orderSearch } from "./order-search.ts";
import { type OrderAdminServices, ordersPart } from "./orders/orders-part.ts";
import { type ReportServices, reportPart } from "./report/report-part.ts";
import type { TicketAdminServices } from "./ticket-services.ts";
import { typesPart } from "./ticket-types/types-part.ts";
import { type WaitingAdminServices, waitingPart } from "./waiting/waiting-part.ts";

/** What tickets add to the back office’s server. */
export function ticketsAdmin(
  services: OrderAdminServices &
    TicketAdminServices &
    CallOffAdminServices &
    MoveAdminServices &
    DoorAdminServices &
    WaitingAdminServices &
    HolderEmailAdminServices &
    ReportServices,
): readonly AdminPart[] {
  return [
    ordersPart(services),
    { person: [orderPersonPart(services)], search: [orderSearch(services.database)] },
    { auditWords: ticketAuditWords, auditFields: ticketAuditFields },
    typesPart(services),
    codesPart(services),
    callOffPart(services),
    movesPart(services),
    doorPart(services),
    givePart(services),
    waitingPart(services),
    holderEmailsPart(services),
    reportPart(services),
  ];
}
