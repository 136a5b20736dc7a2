import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "#shared/config.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { type Attempt, findAttempt, findAttemptOf, insertAttempt } from "./attempts.ts";
import { createCrash } from "./crash-points.ts";
import type { Provider } from "./provider.ts";
import { reconcile } from "./reconcile.ts";
import { newReference } from "./reference.ts";
import { sendCharge } from "./send.ts";
import { type Subject, settle } from "./settle.ts";
import { shownAs } from "./states.ts";
import { sweep } from "./sweep.ts";

export type Submission = {
  /** The client's Idempotency-Key, or a digest of the card token where it sent none. */
  readonly clientKey: string;
  /** Of the whole request but its captcha: the same key with another hash is another submission. */
  readonly requestHash: Buffer;
  readonly instrument: string;
  readonly amountCents: number;
  readonly customerAddress: string;
};

/** Writes what is bought, and spends the captcha, in the transaction that records the attempt. Throws to undo it all. */
export type Open = (transaction: Connection, subjectId: string, at: Date) => Promise<void>;

export type PaymentsContext = {
  readonly database: Database;
  readonly provider: Provider;
  readonly subject: Subject;
  readonly settings: Config["payments"];
  readonly now: () => Date;
  readonly log: FastifyBaseLogger;
};

/** Where copies of one submission wait, how often they look whether another process has settled it. */
const LOOK_AGAIN_MS = 250;

/** The one way money moves. States, faults and invariants: `docs/money.md`. */
export type Payments = ReturnType<typeof createPayments>;

export function createPayments(context: PaymentsContext) {
  const { database, provider, settings, now, log } = context;
  const crash = createCrash(settings.crashPoint);
  const running = new Map<string, Promise<Attempt>>();

  async function record(submission: Submission, open: Open): Promise<Attempt | null> {
    crash("before_insert");
    const at = now();
    const attempt = await database.transaction().execute(async (transaction) => {
      const subjectId = randomUUID();
      const row = await insertAttempt(
        transaction,
        {
          id: randomUUID(),
          donation_id: subjectId,
          provider: provider.name,
          order_reference: newReference("P"),
          idempotency_key: randomUUID(),
          client_key: submission.clientKey,
          request_hash: submission.requestHash,
          instrument_hash: hashInstrument(submission.instrument),
          instrument: submission.instrument,
          amount_cents: submission.amountCents,
          customer_address: submission.customerAddress,
        },
        { now: at, leaseMs: settings.leaseMs },
      );
      if (row !== null) await open(transaction, subjectId, at);
      return row;
    });
    if (attempt !== null) crash("inserted");
    return attempt;
  }

  /** Sends a recorded attempt and takes the answer onto the books. */
  async function charge(attempt: Attempt): Promise<Attempt> {
    const outcome = await sendCharge(context, attempt, { crash });
    crash("answered");
    const settled = await settle(context, attempt, outcome, { actor: "request", now: now() });
    crash("settled");
    return settled;
  }

  /** The attempt, just read, as it stands when it is settled, or when the payer has waited long enough. */
  async function untilSettled(latest: Attempt): Promise<Attempt> {
    const { id } = latest;
    const deadline = Date.now() + settings.customerWaitMs;
    for (let attempt = latest; ; attempt = (await findAttempt(database, id))!) {
      const left = deadline - Date.now();
      if (shownAs[attempt.state] !== "processing" || attempt.was_uncertain || left <= 0) return attempt;
      const step = sleep(Math.min(left, running.has(id) ? left : LOOK_AGAIN_MS), undefined, { ref: false });
      await Promise.race([step, running.get(id)?.catch(() => undefined) ?? step]);
    }
  }

  return {
    /**
     * Records the submission, commits, asks the provider once, and waits up to `customerWaitMs`. A copy of an earlier
     * submission gets that one's attempt; null means the key or the token was used for another request. `charged` is
     * there for the first alone, and goes on when the wait is over.
     */
    async submit(submission: Submission, open: Open): Promise<{ attempt: Attempt; charged?: Promise<Attempt> } | null> {
      const attempt = await record(submission, open);
      if (attempt === null) {
        const earlier = await this.findEarlier(submission);
        return earlier === "none" ? null : earlier;
      }
      const run = charge(attempt).finally(() => running.delete(attempt.id));
      running.set(attempt.id, run);
      run.catch((error: unknown) => log.error({ err: error, attempt: attempt.id }, "payment left for the sweeper"));
      return { attempt: await untilSettled(attempt), charged: run };
    },

    /** What an earlier copy of this submission came to: null when the same key or token belongs to another request. */
    async findEarlier(submission: Pick<Submission, "clientKey" | "requestHash" | "instrument">) {
      const instrumentHash = hashInstrument(submission.instrument);
      const earlier = await findAttemptOf(database, { clientKey: submission.clientKey, instrumentHash });
      if (earlier === undefined) return "none" as const;
      if (!earlier.request_hash.equals(submission.requestHash)) return null;
      return { attempt: await untilSettled(earlier) };
    },

    /** One tick: lost attempts become unknown, and the provider is asked about those whose time has come. */
    async tick(at: Date = now()): Promise<void> {
      await sweep(database, at);
      await reconcile(context, at);
    },

    /** Waits for the charges under way; for a graceful stop. */
    async finish(): Promise<void> {
      await Promise.allSettled(running.values());
    },

    /** For the job that mails: a named moment between two things that belong together. */
    crash,
  };
}

export function hashInstrument(instrument: string): Buffer {
  return createHash("sha256").update("instrument:").update(instrument).digest();
}
