import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Action, action } from "#admin/actions.ts";
import type { DashboardPart } from "#admin/dashboard.ts";
import { drawPreviews } from "#admin/email-preview.ts";
import type { AdminPart } from "#admin/feature.ts";
import { listStaffWith } from "#admin/two-people.ts";
import { typedText } from "#admin/typed-text.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { readSender } from "#shared/mail/compose-email.ts";
import {
  type CallOffOutlook,
  type CallOffProgress,
  listTakenAtDoor,
  listUnrefunded,
  readCallOffOutlook,
  readCallOffProgress,
  type TakenOrder,
  type UnrefundedOrder,
} from "../../server/call-off/call-off-figures.ts";
import {
  approveCallOff,
  type CallOffRequest,
  type CallOffServices,
  callOffRule,
  declineCallOff,
  findCallOff,
  listCallOffsToApprove,
  requestCallOff,
  withdrawCallOff,
} from "../../server/call-off/call-off-requests.ts";
import { retryCalledOffRefund } from "../../server/call-off/continue-call-offs.ts";
import { previewCalledOff } from "../../server/emails/called-off-email.ts";
import { requireEvent } from "../ticket-services.ts";

export type CallOffAdminServices = CallOffServices & CoreServices<"files" | "organisation", "publicUrl">;

export type CallOffOfEvent = {
  readonly event: EventOfScreen;
  /** Null if nobody has asked yet. */
  readonly request: (CallOffRequest & { readonly requester: string; readonly decider: string | null }) | null;
  readonly outlook: CallOffOutlook;
  /** Null unless it is called off. */
  readonly progress: CallOffProgress | null;
  readonly unrefunded: readonly UnrefundedOrder[];
  readonly taken: readonly TakenOrder[];
  /** Everybody who may approve it. */
  readonly deciders: readonly { readonly id: number; readonly name: string }[];
  /** The text of the email before and after the reason. */
  readonly email: { readonly subject: string; readonly before: string; readonly after: string };
  /** A new id, for the form that is shown. */
  readonly formId: string;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** Null if there is no such event. */
    readonly findCallOff: (screenId: string) => Promise<CallOffOfEvent | null>;
  }
}

/** Calling off an event: what it means, who asked and decided, and how far it is. */
export function callOffPart(services: CallOffAdminServices): AdminPart {
  return {
    reads: { findCallOff: (screenId: string) => readCallOff(services, screenId) },
    actions: [requestAction(services), previewAction(services), ...decisions(services), retryAction(services)],
    dashboard: [callOffsToDecide(services)],
  };
}

async function readCallOff(services: CallOffAdminServices, screenId: string): Promise<CallOffOfEvent | null> {
  const { database } = services;
  const event = await findEventOfScreen(database, screenId);
  if (event === null) return null;
  const request = await findCallOff(database, event.id);
  const isCalledOff = request?.decision === "approved";
  const [people, outlook, progress, unrefunded, taken, deciders, email] = await Promise.all([
    request === undefined ? null : readPeople(database, request),
    readCallOffOutlook(database, event.id),
    isCalledOff ? readCallOffProgress(database, event.id) : null,
    isCalledOff ? listUnrefunded(database, event.id) : [],
    isCalledOff ? listTakenAtDoor(database, event.id) : [],
    listStaffWith(database, callOffRule.decides),
    readEmail(services, event),
  ]);
  const shown = request === undefined ? null : { ...request, ...people! };
  return { event, request: shown, outlook, progress, unrefunded, taken, deciders, email, formId: randomUUID() };
}

async function readPeople(connection: Connection, { requested_by, decided_by }: CallOffRequest) {
  const ids = [requested_by, ...(decided_by === null ? [] : [decided_by])];
  const staff = await connection.selectFrom("staff").select(["id", "name"]).where("id", "in", ids).execute();
  const nameOf = (id: number | null) => staff.find((member) => member.id === id)?.name ?? null;
  return { requester: nameOf(requested_by)!, decider: nameOf(decided_by) };
}

async function readEmail(services: CallOffAdminServices, event: EventOfScreen): Promise<CallOffOfEvent["email"]> {
  const mark = "\u0001";
  const { subject, text } = previewCalledOff(await readSender(services), event, mark);
  // Without the title, which is the subject, and the organisation's details.
  const [body = ""] = text.slice(subject.length).split("\n-- \n");
  const [before = "", after = ""] = body.split(mark);
  return { subject, before: before.trim(), after: after.trim() };
}

const Reason = typedText("Say why, for the email.", 1000);

const SCREEN = "/admin/events/:id/call-off";
const pathOf = ({ screenId }: EventOfScreen) => `/admin/events/${screenId}/call-off`;

const requestAction = (services: CallOffAdminServices): Action =>
  action({
    path: SCREEN,
    screen: SCREEN,
    right: callOffRule.requests,
    needsProof: true,
    fields: z.object({ form: z.uuid(), reason: Reason }),
    run: async ({ params, fields: { form: id, reason }, actor, staff }) => {
      const event = await requireEvent(services.database, params.id);
      await requestCallOff(services, { id, event, reason }, { ...actor, staff });
      return { to: pathOf(event), toast: "Sales are stopped. A second person has to approve calling it off." };
    },
  });

/** The whole email in a tab of its own. Nothing is saved or sent. */
const previewAction = (services: CallOffAdminServices): Action =>
  action({
    path: `${SCREEN}/preview`,
    screen: SCREEN,
    right: callOffRule.requests,
    fields: z.object({ reason: Reason }),
    run: async ({ params, fields: { reason } }) => {
      const event = await requireEvent(services.database, params.id);
      const sender = await readSender(services);
      const examples = { "Two tickets": () => previewCalledOff(sender, event, reason) };
      return { file: drawPreviews({ title: `${event.title} has been called off`, examples }, sender) };
    },
  });

const Request = z.object({ request: z.uuid() });

const decisions = (services: CallOffAdminServices): readonly Action[] => [
  action({
    path: `${SCREEN}/approve`,
    screen: SCREEN,
    right: callOffRule.decides,
    needsProof: true,
    fields: Request,
    run: async ({ params, fields: { request: id }, actor, staff }) => {
      const event = await requireEvent(services.database, params.id);
      await approveCallOff(services, { id, event }, { ...actor, staff });
      return { to: pathOf(event), toast: "The event is called off. Refunds and emails are on their way." };
    },
  }),
  action({
    path: `${SCREEN}/decline`,
    screen: SCREEN,
    right: callOffRule.decides,
    needsProof: true,
    fields: Request.extend({ why: typedText("Please say why.", 500) }),
    run: async ({ params, fields: { request: id, why: reason }, actor, staff }) => {
      const event = await requireEvent(services.database, params.id);
      await declineCallOff(services, { id, event, reason }, { ...actor, staff });
      return { to: pathOf(event), toast: "Declined. The event takes place, and its tickets are on sale again." };
    },
  }),
  action({
    path: `${SCREEN}/withdraw`,
    screen: SCREEN,
    right: callOffRule.requests,
    fields: Request,
    run: async ({ params, fields: { request: id }, actor, staff }) => {
      const event = await requireEvent(services.database, params.id);
      await withdrawCallOff(services, { id, event }, { ...actor, staff });
      return { to: pathOf(event), toast: "Withdrawn. The event takes place, and its tickets are on sale again." };
    },
  }),
];

const retryAction = (services: CallOffAdminServices): Action =>
  action({
    path: `${SCREEN}/retry`,
    screen: SCREEN,
    right: callOffRule.decides,
    needsProof: true,
    fields: z.object({ order: z.uuid() }),
    run: async ({ params, fields: { order: orderId }, actor }) => {
      const event = await requireEvent(services.database, params.id);
      await retryCalledOffRefund(services, { orderId, eventId: event.id }, actor);
      return { to: pathOf(event), toast: "The refund is on its way again." };
    },
  });

const callOffsToDecide = ({ database }: CallOffServices): DashboardPart => ({
  right: callOffRule.decides,
  // Nobody can decide their own request.
  isPersonal: true,
  listWaiting: async ({ id }) =>
    (await listCallOffsToApprove(database))
      .filter(({ requesterId }) => requesterId !== id)
      .map(({ event, requester, screenId }) => ({
        linkText: `Calling off ${event}`,
        text: `${requester} asked for it. It is waiting for a second person`,
        path: `/admin/events/${screenId}/call-off`,
        look: "act",
      })),
});
