import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createDeathWatch } from "#shared/database/process-presence.ts";
import { type Attempt, findAttempt, findAttemptOf, insertAttempt } from "./attempts.ts";
import { type Asked, type Asking, beginAuthentication, continueAuthentication } from "./authenticate.ts";
import type { Open, PaymentsContext, Submission, Submitted } from "./context.ts";
import { createCrash } from "./crash-points.ts";
import { reconcile } from "./reconcile.ts";
import { newReference } from "./reference.ts";
import { createRefunds } from "./refunds/refunds.ts";
import { sendCharge } from "./send.ts";
import { settle } from "./settle.ts";
import { shownAs } from "./states.ts";
import { sweep } from "./sweep.ts";

/** Where copies of one submission wait, how often they look whether another process has settled it. */
const LOOK_AGAIN_MS = 250;

/** The one way money moves. States, faults and invariants: `docs/money.md`. */
export type Payments = ReturnType<typeof createPayments>;

export function createPayments(context: PaymentsContext) {
  const { database, settings, now, log } = context;
  const crash = createCrash(settings.crashPoint);
  const refunds = createRefunds(context);
  const findDead = createDeathWatch(database);
  const running = new Map<string, Promise<Attempt>>();

  async function record(submission: Submission, open: Open): Promise<Attempt | null> {
    crash("before_insert");
    const at = now();
    const attempt = await database.transaction().execute(async (transaction) => {
      const row = await insertAttempt(
        transaction,
        {
          id: randomUUID(),
          donation_id: submission.subject.kind === "donation" ? submission.subject.id : null,
          ticket_order_id: submission.subject.kind === "ticket_order" ? submission.subject.id : null,
          provider: submission.provider,
          order_reference: newReference("P"),
          idempotency_key: randomUUID(),
          client_key: submission.clientKey,
          request_hash: submission.requestHash,
          instrument_hash: hashInstrument(submission.instrument),
          instrument: submission.instrument,
          amount_cents: submission.amountCents,
          customer_address: submission.customerAddress,
          owner: context.processId ?? null,
          browser: submission.browser ?? null,
        },
        { state: submission.authentication === null ? "submitting" : "created", now: at, leaseMs: settings.leaseMs },
      );
      if (row !== null) await open(transaction, at);
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

  /** The same where the payer's bank is asked first, or again: whoever makes the attempt `submitting` charges it. */
  async function chargeOnceAsked(asking: Promise<Asked>): Promise<Attempt> {
    const { attempt, isOurs } = await asking;
    return isOurs && attempt.state === "submitting" ? charge(attempt) : attempt;
  }

  /** Keeps a run until it is over, for copies that wait for it and for a graceful stop. */
  function keep(id: string, run: Promise<Attempt>): Promise<Attempt> {
    const kept = run.finally(() => running.delete(id));
    running.set(id, kept);
    kept.catch((error: unknown) => log.error({ err: error, attempt: id }, "payment left for the sweeper"));
    return kept;
  }

  /** The attempt, just read, as it stands when it is settled, or when the payer has waited long enough. */
  async function untilSettled(latest: Attempt): Promise<Attempt> {
    const { id } = latest;
    const deadline = performance.now() + settings.customerWaitMs;
    for (let attempt = latest; ; attempt = (await findAttempt(database, id))!) {
      const left = deadline - performance.now();
      if (shownAs[attempt.state] !== "processing" || attempt.was_uncertain || left <= 0) return attempt;
      const step = sleep(Math.min(left, running.has(id) ? left : LOOK_AGAIN_MS), undefined, { ref: false });
      await Promise.race([step, running.get(id)?.catch(() => undefined) ?? step]);
    }
  }

  const upToTheWait = (run: Promise<Attempt>) =>
    Promise.race([run.catch(() => undefined), sleep(settings.customerWaitMs, undefined, { ref: false })]);

  return {
    /**
     * Records the submission, commits, asks the provider once (the payer's bank before, where that is wanted), and waits
     * up to `customerWaitMs`. A copy of an earlier submission gets that one's attempt; null means the key or the token
     * was used for another request, or another payment for the same order is under way.
     */
    async submit(submission: Submission, open: Open): Promise<Submitted | null> {
      const attempt = await record(submission, open);
      if (attempt === null) {
        const earlier = await this.findEarlier(submission);
        return earlier === "none" ? null : earlier;
      }
      const { authentication } = submission;
      const run =
        authentication === null
          ? charge(attempt)
          : chargeOnceAsked(beginAuthentication(context, attempt, { ...authentication, crash }));
      const charged = keep(attempt.id, run);
      return { attempt: await untilSettled(attempt), charged };
    },

    /**
     * Goes on with an attempt that waits for the payer to confirm at their bank: the bank is asked again, and its word
     * alone decides. Any number at once charge once. Null where there is no such attempt; one that does not wait is
     * answered as it stands.
     */
    async resume(id: string, asking: Asking): Promise<Submitted | null> {
      const deadline = performance.now() + settings.customerWaitMs;
      let attempt = await findAttempt(database, id);
      while (attempt?.state === "requires_action" && running.has(id) && performance.now() < deadline) {
        await upToTheWait(running.get(id)!);
        attempt = await findAttempt(database, id);
      }
      if (attempt === undefined) return null;
      if (attempt.state !== "requires_action" || running.has(id)) return { attempt: await untilSettled(attempt) };
      const charged = keep(id, chargeOnceAsked(continueAuthentication(context, attempt, { ...asking, crash })));
      await upToTheWait(charged);
      return { attempt: await untilSettled((await findAttempt(database, id))!), charged };
    },

    /** What an earlier copy of this submission came to: null when the same key or token belongs to another request. */
    async findEarlier(submission: Pick<Submission, "clientKey" | "requestHash" | "instrument">) {
      const instrumentHash = hashInstrument(submission.instrument);
      const earlier = await findAttemptOf(database, { clientKey: submission.clientKey, instrumentHash });
      if (earlier === undefined) return "none" as const;
      if (!earlier.request_hash.equals(submission.requestHash)) return null;
      return { attempt: await untilSettled(earlier) };
    },

    /**
     * One tick: lost payments and refunds become unknown, also those of processes that have died, what the payer left at
     * the bank is given up, and the provider is asked about payments and refunds whose time has come.
     */
    async tick(at: Date = now()): Promise<void> {
      const dead = await findDead();
      await sweep(database, dead, { now: at, giveUpMs: settings.giveUpMs });
      await reconcile(context, at);
      await refunds.tick(at, dead);
    },

    refunds,

    /** Waits for the charges and refunds under way; for a graceful stop. */
    async finish(): Promise<void> {
      await Promise.allSettled([...running.values(), refunds.finish()]);
    },

    /** For the job that mails: a named moment between two things that belong together. */
    crash,
  };
}

export function hashInstrument(instrument: string): Buffer {
  return createHash("sha256").update("instrument:").update(instrument).digest();
}
