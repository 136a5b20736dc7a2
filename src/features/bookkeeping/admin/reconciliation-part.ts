import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import { typedText } from "#admin/typed-text.ts";
import { providerTitles } from "#payments/reconciliation/reconciliation-report.ts";
import { closeFinding } from "#payments/reconciliation/reconciliation-store.ts";
import { isPaid, isUndecided } from "#payments/states.ts";
import { addDays, dayInSydney, isDay } from "#shared/language.ts";
import { describeEnd, listDifferences } from "../server/findings.ts";
import { listPaymentsToReview, requestCheck } from "../server/payments-to-review.ts";
import { listDays, readReconciliationDays } from "../server/reconciliation-days.ts";
import { listReversalForms } from "../server/reversals.ts";
import { listForeignCharges } from "../server/take-in.ts";
import type { BookkeepingServices } from "./admin-parts.ts";
import { bookkeepingToDo, PAYMENTS_TO_REVIEW_PATH } from "./bookkeeping-to-do.ts";
import { compareDayNow, SCREEN_WAIT_MS } from "./compare-day.ts";
import { reverseAction } from "./reverse-action.ts";
import { takeInCharge } from "./take-in-action.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly reconciliation: ReturnType<typeof reconciliationReads>;
  }
}

const dayPath = (day: string) => `/admin/reconciliation/${day}`;

/** Days, differences, and payments that need review. */
export function reconciliationPart(services: BookkeepingServices): AdminPart {
  return {
    reads: { reconciliation: reconciliationReads(services) },
    actions: [
      closeDifference(services),
      takeInCharge(services),
      reverseAction(services),
      compareAgain(services),
      checkPayment(services),
    ],
    dashboard: [bookkeepingToDo(services)],
  };
}

function reconciliationReads({ database, takenIn, now }: BookkeepingServices) {
  return {
    /** The days before `before` or, without it, before today. */
    async listDays(before: string | undefined) {
      const today = dayInSydney(now());
      const [listed, open] = await Promise.all([
        listDays(database, before !== undefined && isDay(before) && before < today ? before : today),
        listDifferences(database, "open"),
      ]);
      return { ...listed, open };
    },

    /** One day that has begun, with its differences. */
    async findDay(day: string) {
      if (!isDay(day) || day > dayInSydney(now())) return null;
      const [[booked], differences] = await Promise.all([
        readReconciliationDays(database, day, day),
        listDifferences(database, { day }),
      ]);
      const found = {
        differences,
        foreign: await listForeignCharges(database, takenIn, differences),
        reversals: await listReversalForms(database, differences),
      };
      const next = addDays(day, 1);
      return { ...booked!, ...found, before: addDays(day, -1), after: next > dayInSydney(now()) ? null : next };
    },

    listPayments: () => listPaymentsToReview(database, now()),
  };
}

export type ReconciliationDay = NonNullable<Awaited<ReturnType<ReturnType<typeof reconciliationReads>["findDay"]>>>;

function closeDifference({ database, now }: BookkeepingServices): Action {
  return action({
    path: "/admin/reconciliation/:day/close/:id",
    right: "reconciliation.change",
    screen: "/admin/reconciliation/:day",
    fields: z.object({ reason: typedText("Write why this difference needs nothing more.", 500, 3) }),
    async run({ params, fields: { reason }, actor, staff }) {
      const id = Number(params.id);
      if (!Number.isSafeInteger(id)) throw new Refusal("There is no such difference.");
      const at = now();
      const day = await database.transaction().execute(async (transaction) => {
        const closed = await closeFinding(transaction, { id, by: staff.id, reason, now: at });
        if (closed === null) throw new Refusal(await describeEnd(transaction, id));
        const { kind, provider, reference, ours_cents, theirs_cents } = closed;
        const before = { kind, provider, reference, oursCents: ours_cents, theirsCents: theirs_cents };
        const act = { verb: "difference.close", subject: "difference", subjectId: String(id), before, reason };
        await recordAct(transaction, actor, act, at);
        return closed.day;
      });
      return { to: dayPath(day), toast: "The difference is closed." };
    },
  });
}

function compareAgain(services: BookkeepingServices): Action {
  const { database, now } = services;
  return action({
    path: "/admin/reconciliation/:day/compare",
    right: "reconciliation.change",
    screen: "/admin/reconciliation/:day",
    fields: z.object({}),
    async run({ params, actor, request }) {
      const day = params.day ?? "";
      const at = now();
      if (!isDay(day) || day > dayInSydney(at)) throw new Refusal("This day has not begun yet.");
      await recordAct(
        database,
        actor,
        { verb: "reconciliation.compare", subject: "reconciliation", subjectId: day },
        at,
      );
      const done = await compareDayNow(services, day, request.log);
      if (done === null) {
        return { to: dayPath(day), toast: "The comparison goes on. Reload this page in a minute." };
      }
      const [busy] = done.busy;
      if (busy !== undefined) {
        throw new Refusal(`The books of ${providerTitles[busy]} are being compared already. Reload in a minute.`);
      }
      const isRead = done.report.runs.every(({ state }) => state === "done");
      return { to: dayPath(day), toast: isRead ? "The day is compared." : "Not all books could be read." };
    },
  });
}

function checkPayment({ database, payments, now }: BookkeepingServices): Action {
  return action({
    path: `${PAYMENTS_TO_REVIEW_PATH}/:id/check`,
    right: "reconciliation.change",
    screen: PAYMENTS_TO_REVIEW_PATH,
    fields: z.object({}),
    async run({ params, actor, request }) {
      const id = z.uuid().safeParse(params.id);
      const at = now();
      const attempt = await database.transaction().execute(async (transaction) => {
        const found = id.success ? await requestCheck(transaction, id.data, at) : null;
        if (found === null) throw new Refusal("This payment does not need review any more.");
        const { donation_id, ticket_order_id, order_reference, state } = found;
        const subject =
          donation_id === null
            ? { subject: "ticket_order", subjectId: ticket_order_id! }
            : { subject: "donation", subjectId: donation_id };
        const before = { payment: order_reference, state };
        await recordAct(transaction, actor, { verb: "payment.check", ...subject, before }, at);
        return found;
      });
      const asking = payments.tick(at);
      asking.catch((error: unknown) => request.log.error({ err: error }, "a payment could not be checked"));
      await Promise.race([asking, sleep(SCREEN_WAIT_MS, undefined, { ref: false })]);
      const { state } = await database
        .selectFrom("payment_attempts")
        .select("state")
        .where("id", "=", attempt.id)
        .executeTakeFirstOrThrow();
      const provider = providerTitles[attempt.provider];
      if (state === "disputed")
        return { to: PAYMENTS_TO_REVIEW_PATH, toast: `The dispute is still open at ${provider}.` };
      if (isUndecided(state)) return { to: PAYMENTS_TO_REVIEW_PATH, toast: `${provider} has no definite answer yet.` };
      const outcome = isPaid(state) ? "was paid" : "was not paid";
      return {
        to: PAYMENTS_TO_REVIEW_PATH,
        toast: `${provider} says that this payment ${outcome}. Our books say so now.`,
      };
    },
  });
}
