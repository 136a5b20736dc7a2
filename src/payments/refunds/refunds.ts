import { setTimeout as sleep } from "node:timers/promises";
import type { PaymentsContext } from "../context.ts";
import { createCrash } from "../crash-points.ts";
import { advanceRefund, type RefundContext, sweepRefunds } from "./refund-send.ts";
import { findRefund, listDueRefunds, listRefunds, type Refund } from "./refund-store.ts";
import { type RefundReply, type RefundWish, requestRefund } from "./request-refund.ts";

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
     * Records a refund, to be sent by the next tick or by `run`; see `requestRefund`.
     */
    async request(wish: RefundWish): Promise<RefundReply> {
      const reply = await database.transaction().execute((transaction) => requestRefund(transaction, wish, now()));
      if (reply.ok) crash("refund_requested");
      return reply;
    },

    /** One tick: lost refunds, and those of dead processes, become unknown; those whose time has come are sent or looked for. */
    async tick(at: Date, dead: readonly number[] = []): Promise<void> {
      await sweepRefunds(context, dead, at);
      const due = await listDueRefunds(database, at, BATCH);
      await Promise.all(due.map(({ id }) => advance(id, { now: at })));
    },

    /**
     * Sends a refund at once and waits for what comes of it, as long as a payer would wait for a payment. Returns it as
     * it then stands: `requested` where the payment must settle first, `unknown` where nobody can say yet.
     */
    async run(refundId: string): Promise<Refund> {
      const deadline = performance.now() + settings.customerWaitMs;
      await advance(refundId, { now: now(), isForced: true });
      for (;;) {
        const refund = (await findRefund(database, refundId))!;
        const isOpen = refund.state === "submitting" || refund.state === "unknown";
        if (!isOpen || performance.now() >= deadline) return refund;
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
