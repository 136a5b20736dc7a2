import { setTimeout as sleep } from "node:timers/promises";
import type { Selectable } from "kysely";
import type { Tables } from "#shared/database/tables.ts";
import { createCrash } from "../crash-points.ts";
import type { PaymentsContext } from "../payments.ts";
import { judgeWish, roomOf } from "./refund-rules.ts";
import { advanceRefund, type RefundContext, sweepRefunds } from "./refund-send.ts";
import {
  findDetail,
  findRefund,
  findRefundByKey,
  insertRefund,
  listDueRefunds,
  listRefunds,
  lockAttempt,
} from "./refund-store.ts";

export type Refund = Selectable<Tables["refunds"]>;

/** `requestKey` names the wish: asked for again with the same key, the same refund is answered. */
export type RefundWish = {
  readonly attemptId: string;
  /** Null for all that is left. */
  readonly amountCents: number | null;
  readonly requestKey: string;
  readonly requestedBy: "staff" | "system";
  readonly reason: string;
};

export type RefundReply =
  | { readonly ok: true; readonly refund: Refund }
  /** `leftCents` is what could still be given back. A payment in dispute counts as not paid until that is decided. */
  | {
      readonly ok: false;
      readonly problem: "not_paid" | "nothing_left" | "too_much" | "key_reused";
      readonly leftCents: number;
    };

/** How many refunds one tick takes. */
const BATCH = 50;
/** Where the command waits, how often it looks whether the refund is decided. */
const LOOK_AGAIN_MS = 250;

/** Money that goes back. States: `refund-states.ts`; rules: `refund-rules.ts`; the whole story: `docs/money.md`. */
export type Refunds = ReturnType<typeof createRefunds>;

export function createRefunds(payments: PaymentsContext, crash = createCrash(payments.settings.crashPoint)) {
  const context: RefundContext = { ...payments, crash };
  const { database, settings, now, log } = context;
  const running = new Map<string, Promise<void>>();

  /** One step of a refund, after the one that this process has under way. */
  async function advance(refundId: string, options: { now: Date; isForced?: boolean }): Promise<void> {
    const before = running.get(refundId);
    if (before !== undefined) return before;
    const run = advanceRefund(context, refundId, options)
      .catch((error: unknown) => log.warn({ err: error, refund: refundId }, "a refund is tried again later"))
      .finally(() => running.delete(refundId));
    running.set(refundId, run);
    return run;
  }

  return {
    /**
     * Records a refund, to be sent by the next tick or by `run`. Never grants more than is left of the payment.
     * @throws RangeError for an amount that is not a whole number of cents above zero.
     */
    async request(wish: RefundWish): Promise<RefundReply> {
      const { amountCents, attemptId, requestKey } = wish;
      if (amountCents !== null && !(Number.isSafeInteger(amountCents) && amountCents > 0)) {
        throw new RangeError("A refund is a whole number of cents above zero.");
      }
      const reply = await database.transaction().execute(async (transaction): Promise<RefundReply> => {
        const attempt = await lockAttempt(transaction, attemptId);
        if (attempt === undefined) return { ok: false, problem: "not_paid", leftCents: 0 };
        const refunds = await listRefunds(transaction, attemptId);
        const inserted = async () => {
          const judged = judgeWish(attempt, refunds, amountCents);
          if (!judged.ok) return judged;
          const { requestedBy, reason } = wish;
          const facts = { attempt, amountCents: judged.amountCents, requestKey, requestedBy, reason, now: now() };
          return insertRefund(transaction, { ...facts, detail: { wantedCents: amountCents } });
        };
        const made = (await findRefundByKey(transaction, requestKey)) === undefined ? await inserted() : null;
        if (made !== null) return "ok" in made ? made : { ok: true, refund: made };
        const earlier = (await findRefundByKey(transaction, requestKey))!;
        const { wantedCents } = ((await findDetail(transaction, earlier.id, "first")) ?? {}) as {
          wantedCents?: number | null;
        };
        return earlier.attempt_id === attemptId && wantedCents === amountCents
          ? { ok: true, refund: earlier }
          : { ok: false, problem: "key_reused", leftCents: roomOf(attempt.amount_cents, refunds) };
      });
      if (reply.ok) crash("refund_requested");
      return reply;
    },

    /** One tick: lost refunds become unknown; those whose time has come are sent or looked for. */
    async tick(at: Date): Promise<void> {
      await sweepRefunds(context, at);
      const due = await listDueRefunds(database, at, BATCH);
      await Promise.all(due.map(({ id }) => advance(id, { now: at })));
    },

    /**
     * Sends a refund at once and waits for what comes of it, as long as a payer would wait for a payment. Returns it as
     * it then stands: `requested` where the payment must settle first, `unknown` where nobody can say yet.
     */
    async run(refundId: string): Promise<Refund> {
      const deadline = Date.now() + settings.customerWaitMs;
      await advance(refundId, { now: now(), isForced: true });
      for (;;) {
        const refund = (await findRefund(database, refundId))!;
        const isOpen = refund.state === "submitting" || refund.state === "unknown";
        if (!isOpen || Date.now() >= deadline) return refund;
        await sleep(LOOK_AGAIN_MS);
        await advance(refundId, { now: now() });
      }
    },

    /** All refunds of one payment, oldest first. */
    listOf: (attemptId: string): Promise<Refund[]> => listRefunds(database, attemptId),

    /** Waits for the refunds under way; for a graceful stop. */
    async finish(): Promise<void> {
      await Promise.allSettled(running.values());
    },
  };
}
