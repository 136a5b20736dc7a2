import { z } from "zod";
import { action, Refusal } from "#admin/actions.ts";
import type { DashboardPart, WaitingLine } from "#admin/dashboard.ts";
import type { AdminPart } from "#admin/feature.ts";
import { readPlace, writePlace } from "#admin/list-place.ts";
import { refundAuditWords } from "#admin/refund-audit-words.ts";
import type { RefundedSubject } from "#admin/refund-panel.ts";
import { typedText } from "#admin/typed-text.ts";
import type { PaidPart } from "#payments/subject.ts";
import { AppError } from "#shared/errors.ts";
import { formatDollars, plural } from "#shared/language.ts";
import { readAmount } from "../refund-amounts.ts";
import { readRefundForm } from "../server/refund-form.ts";
import {
  approveRefund,
  askForRefund,
  declineRefund,
  noteByHand,
  type RefundServices,
  withdrawRefund,
} from "../server/refund-requests.ts";
import { findPaymentOf } from "../server/request-store.ts";
import type { RefundForm, RefundList, ShownRefund } from "../server/shown-refund.ts";
import { countRefundsToDo, findShownRefund, listRefundGroup } from "../server/shown-refunds.ts";
import { refundAuditFields } from "./audit-words.ts";
import { readRefundPanel } from "./refund-panel.ts";
import { askToCheck, subjectPaths } from "./refund-words.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** Null if there is no such donation or ticket order. `amountCents` is null for all that is left. */
    readonly readRefundForm: (
      of: RefundedSubject,
      asking: { staffId: number; amountCents: number | null },
    ) => Promise<RefundForm | null>;
    readonly findRefund: (id: string) => Promise<ShownRefund | null>;
    readonly listRefunds: (after: string) => Promise<RefundList>;
  }
}

/** Refunds: a form for a donation or a ticket order, their list, and each with its decision. */
export function refundsPart(services: RefundServices): AdminPart {
  return {
    reads: refundReads(services),
    actions: [
      requestAction(services, "donation"),
      requestAction(services, "ticket_order"),
      ...decisions(services),
      byHandAction(services),
    ],
    dashboard: [refundsToDo(services)],
    auditWords: refundAuditWords,
    auditFields: refundAuditFields,
    auditSubjects: { refund: { label: "refund", group: "Refunds" } },
  };
}

const isId = (text: string) => z.uuid().safeParse(text).success;

const PAGE = 50;
/** More than anybody deals with before reloading. The oldest then move up. */
const MAX_OPEN = 200;

function refundReads({ database, config, now, subject }: RefundServices) {
  const { twoPeopleCents: limitCents } = config.refunds;
  return {
    readRefundForm: async (of: RefundedSubject, asking: { staffId: number; amountCents: number | null }) =>
      isId(of.id) ? readRefundForm(database, subject, { of, ...asking, limitCents, now: now() }) : null,
    readRefundPanel: (of: RefundedSubject) => readRefundPanel(database, of),
    findRefund: async (id: string) => (isId(id) ? ((await findShownRefund(database, id)) ?? null) : null),
    async listRefunds(text: string): Promise<RefundList> {
      const after = readPlace(text);
      const group = (name: "to approve" | "failed" | "under way") =>
        after === null ? listRefundGroup(database, name, { limit: MAX_OPEN }) : [];
      const done = await listRefundGroup(database, "done", { limit: PAGE + 1, after });
      const shown = done.slice(0, PAGE);
      return {
        toApprove: await group("to approve"),
        failed: await group("failed"),
        underWay: await group("under way"),
        done: shown,
        isFirst: after === null,
        older: done.length > PAGE ? writePlace(shown.at(-1)!) : null,
      };
    },
  };
}

const Reason = typedText("Please say why.", 500);

const Cents = z.coerce.number().int().min(0);

const Amount = z.string().transform((text, context) => {
  const read = readAmount(text);
  if ("cents" in read) return read.cents;
  context.addIssue({ code: "custom", message: read.fault });
  return z.NEVER;
});

/** Only a part needs an amount, and only chosen tickets are sent as such, whatever the other fields contain. */
const withAmount = (sent: unknown) => {
  const { amount = "", tickets = [], ...rest } = sent as Record<string, unknown>;
  return {
    ...rest,
    ...(rest.how === "part" && { amount }),
    ...(rest.how === "tickets" && { tickets: [tickets].flat() }),
  };
};

/** `left` and `shown` are what the page showed: the amount that was left, and the amount on the button. */
const RequestFields = z.preprocess(
  withAmount,
  z.object({
    form: z.guid(),
    how: z.enum(["all", "tickets", "part"], "Please choose how much."),
    amount: Amount.optional(),
    tickets: z.array(z.uuid()).min(1, "Please choose tickets.").optional(),
    reason: Reason,
    left: Cents,
    shown: Cents,
  }),
);

function requestAction(services: RefundServices, kind: RefundedSubject["kind"]) {
  const path = `${subjectPaths[kind]}/:id/refund`;
  return action({
    path,
    right: "refunds.make",
    needsProof: true,
    screen: path,
    fields: RequestFields,
    run: async ({ fields, params, actor, staff }) => {
      const { form, reason, left, shown } = fields;
      const of = { kind, id: requireId(params.id) };
      const valid = await listTickets(services, of);
      const tickets = chooseTickets(fields, valid);
      const cents = centsOf(fields, tickets);
      if (cents > left) {
        throw new AppError("invalid_input", {
          fields: { amount: [`Only ${formatDollars(left)} can still be refunded.`] },
        });
      }
      // Only the amount on the button is refunded.
      if (cents !== shown) throw new Refusal(askToCheck(cents));
      const wanted = {
        id: form,
        of,
        amountCents: cents,
        leftCents: left,
        reason,
        tickets: tickets.map(({ id }) => id),
      };
      const { requestId, refund } = await askForRefund(services, wanted, { ...actor, staff });
      return { to: `/admin/refunds/${requestId}`, ...toastOf(refund, cents) };
    },
  });
}

/** The valid tickets of an order. */
async function listTickets({ database, subject }: RefundServices, of: RefundedSubject): Promise<readonly PaidPart[]> {
  const payment = await findPaymentOf(database, of);
  return payment === undefined ? [] : ((await subject.listParts?.(database, payment)) ?? []);
}

type Chosen = Pick<z.infer<typeof RequestFields>, "how" | "tickets" | "amount" | "left">;

/** Which tickets are cancelled: all of them with all that is left, and none with an amount. */
function chooseTickets({ how, tickets: ids = [] }: Chosen, valid: readonly PaidPart[]): readonly PaidPart[] {
  return how === "all" ? valid : valid.filter(({ id }) => ids.includes(id));
}

/** Chosen tickets cost their price, unless less is left. */
function centsOf({ how, amount, left }: Chosen, tickets: readonly PaidPart[]): number {
  if (how === "tickets") {
    return Math.min(
      left,
      tickets.reduce((sum, { cents }) => sum + cents, 0),
    );
  }
  return amount ?? left;
}

/** A toast only reports success; the screen says the rest. */
function toastOf(refund: { state: string } | null, cents: number): { toast?: string } {
  if (refund === null)
    return { toast: `Requested. A second person has to approve the refund of ${formatDollars(cents)}.` };
  return refund.state === "succeeded" ? { toast: `Refunded ${formatDollars(cents)}.` } : {};
}

function decisions(services: RefundServices) {
  const screen = "/admin/refunds/:id";
  return [
    action({
      path: "/admin/refunds/:id/approve",
      right: "refunds.make",
      needsProof: true,
      screen,
      fields: z.object({}),
      run: async ({ params, actor, staff }) => {
        const id = requireId(params.id);
        const { request, refund } = await approveRefund(services, id, { ...actor, staff });
        return { to: `/admin/refunds/${id}`, ...toastOf(refund, request.amount_cents) };
      },
    }),
    action({
      path: "/admin/refunds/:id/decline",
      right: "refunds.make",
      needsProof: true,
      screen,
      fields: z.object({ reason: Reason }),
      run: async ({ params, fields: { reason }, actor, staff }) => {
        const id = requireId(params.id);
        await declineRefund(services, id, { actor: { ...actor, staff }, reason });
        return { to: `/admin/refunds/${id}`, toast: "Declined. Nothing was refunded." };
      },
    }),
    action({
      path: "/admin/refunds/:id/withdraw",
      right: "refunds.make",
      screen,
      fields: z.object({}),
      run: async ({ params, actor, staff }) => {
        const id = requireId(params.id);
        await withdrawRefund(services, id, { ...actor, staff });
        return { to: `/admin/refunds/${id}`, toast: "Withdrawn. Nothing was refunded." };
      },
    }),
  ];
}

/** @throws AppError `not_found`. */
function requireId(id = ""): string {
  if (!isId(id)) throw new AppError("not_found");
  return id;
}

function byHandAction(services: RefundServices) {
  return action({
    path: "/admin/refunds/:id/by-hand",
    right: "refunds.make",
    needsProof: true,
    screen: "/admin/refunds/:id",
    fields: z.object({ note: Reason }),
    run: async ({ params, fields: { note }, actor, staff }) => {
      const id = requireId(params.id);
      const refundId = (await findShownRefund(services.database, id))?.refund?.id;
      await noteByHand(services, requireId(refundId), { actor: { ...actor, staff }, note });
      return { to: `/admin/refunds/${id}`, toast: "Noted." };
    },
  });
}

/** More refunds than this are one line of the dashboard, which leads to their list. */
const MAX_LINES = 3;

function refundsToDo({ database }: RefundServices): DashboardPart {
  return {
    right: "refunds.make",
    // Nobody can decide their own request.
    isPersonal: true,
    listWaiting: async ({ id: notBy }) => {
      const [{ toApprove, failed }, first] = await Promise.all([
        countRefundsToDo(database, { notBy }),
        listRefundGroup(database, "to approve", { limit: MAX_LINES, notBy }),
      ]);
      return [
        ...(toApprove > first.length ? [countToApprove(toApprove)] : first.map(toApproveLine)),
        ...failedLines(failed),
      ];
    },
  };
}

const toApproveLine = ({ id, amountCents, of, request }: ShownRefund): WaitingLine => ({
  path: `/admin/refunds/${id}`,
  look: "act",
  linkText: `Refund of ${formatDollars(amountCents)} for ${of.reference}`,
  text: `${request!.by.name} asked for it. This refund is waiting for a second person`,
});

const countToApprove = (count: number): WaitingLine => ({
  linkText: "Approve or decline refunds",
  path: "/admin/refunds",
  look: "act",
  text: `${count} refunds are waiting for a second person`,
});

function failedLines(count: number): WaitingLine[] {
  if (count === 0) return [];
  const text = plural(count, {
    one: "A refund was not made and needs attention",
    other: `${count} refunds were not made and need attention`,
  });
  return [{ text, linkText: "See refunds that were not made", path: "/admin/refunds", look: "bad" }];
}
