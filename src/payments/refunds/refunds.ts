import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "#shared/database/connect.ts";
import type { PaymentsContext } from "../context.ts";
import { createCrash } from "../crash-points.ts";
import { advanceRefund, type RefundContext, sweepRefunds } from "./refund-send.ts";
import { findRefund, listDueRefunds, listRefunds, type Refund } from "./refund-store.ts";
import { type RefundReply, type RequestedRefund, requestRefund } from "./request-refund.ts";

/** The most refunds per tick. */
const BATCH = 50;
/** How often a waiting command checks whether the refund is decided. */
const POLL_MS = 250;

type RecordRefund = (transaction: Connection, refund: Refund) => Promise<unknown>;

/** Takes refund requests, sends them to their provider, and finds out their outcomes. */
export function createRefunds(payments: PaymentsContext, crash = createCrash(payments.settings.crashPoint)) {
  const context: RefundContext = { ...payments, crash };
  const { database, settings, now, log } = context;
  const running = new Map<string, Promise<void>>();

  /** Advances a refund by one step, or joins the step that is already running in this process. */
  async function advance(refundId: string, options: { now: Date; isForced?: boolean }): Promise<void> {
    const before = running.get(refundId);
    if (before !== undefined) return before;
    const run = advanceRefund(context, refundId, options)
      .catch((error: unknown) =>
        log.warn({ err: error, refund: refundId }, "a refund could not be advanced; trying again later"),
      )
      .finally(() => running.delete(refundId));
    running.set(refundId, run);
    return run;
  }

  return {
    /** Records a refund, which the next tick or `run` sends; see `requestRefund`. A new one is also given to `record`. */
    async request(requested: RequestedRefund, record?: RecordRefund): Promise<RefundReply> {
      const reply = await database.transaction().execute(async (transaction) => {
        const made = await requestRefund(transaction, requested, now());
        if (made.ok && made.isNew) await record?.(transaction, made.refund);
        return made;
      });
      if (reply.ok) crash("refund_requested");
      return reply;
    },

    /** One tick: marks lost refunds and those of dead processes as unknown, and sends or looks up those due. */
    async tick(at: Date, dead: readonly number[] = []): Promise<void> {
      await sweepRefunds(context, dead, at);
      const due = await listDueRefunds(database, at, BATCH);
      await Promise.all(due.map(({ id }) => advance(id, { now: at })));
    },

    /**
     * Sends a refund immediately and waits for its outcome, up to `customerWaitMs`. The returned refund is `requested`
     * if the payment must settle first, and `unknown` if the outcome is not yet known.
     */
    async run(refundId: string): Promise<Refund> {
      const deadline = performance.now() + settings.customerWaitMs;
      await advance(refundId, { now: now(), isForced: true });
      for (;;) {
        const refund = (await findRefund(database, refundId))!;
        const isOpen = refund.state === "submitting" || refund.state === "unknown";
        if (!isOpen || performance.now() >= deadline) return refund;
        await sleep(POLL_MS);
        await advance(refundId, { now: now() });
      }
    },

    /** All refunds of one payment, oldest first. */
    listOf: (attemptId: string): Promise<Refund[]> => listRefunds(database, attemptId),

    /** Waits for the refunds in progress, for a graceful stop. */
    async finish(): Promise<void> {
      await Promise.allSettled(running.values());
    },
  };
}
