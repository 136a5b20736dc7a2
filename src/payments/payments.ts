import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "#shared/database/connect.ts";
import { createDeadProcessFinder } from "#shared/database/process-presence.ts";
import { transact } from "#shared/database/transact.ts";
import { type Attempt, describeRecording, findAttempt, findAttemptOf } from "./attempts.ts";
import {
  type AuthenticationOptions,
  type AuthenticationResult,
  beginAuthentication,
  continueAuthentication,
} from "./authenticate.ts";
import type { PaymentsContext, Recording, Submission, Submitted } from "./context.ts";
import { createCrash } from "./crash-points.ts";
import { reconcile } from "./reconcile.ts";
import { newReference } from "./reference.ts";
import { createRefunds } from "./refunds/refunds.ts";
import { sendCharge } from "./send.ts";
import { settle } from "./settle.ts";
import { shownAs } from "./states.ts";
import { sweep } from "./sweep.ts";

/** How often waiting copies of a submission check whether another process has settled it. */
const POLL_MS = 250;

/** The only code that moves money. States, faults and invariants: `docs/money.md`. */
export type Payments = ReturnType<typeof createPayments>;

/** Records payments, sends them to their provider, settles them and resolves open ones. */
export function createPayments(context: PaymentsContext) {
  const { database, settings, now, log } = context;
  const crash = createCrash(settings.crashPoint);
  const refunds = createRefunds(context);
  const findDead = createDeadProcessFinder(database);
  const running = new Map<string, Promise<Attempt>>();
  /** Attempts whose answer this process could not record, such as while the database was away. */
  const unfinished = new Set<string>();

  async function record(submission: Submission, { statement, admit }: Recording): Promise<Attempt | null> {
    crash("before_insert");
    const at = now();
    const recording = statement(describeSubmission(submission, context, at));
    const write = async (connection: Connection) => (await recording.execute(connection)).rows[0] ?? null;
    const attempt =
      admit === undefined
        ? await write(database)
        : await transact(database, async (transaction) => {
            const result = await write(transaction);
            if (result !== null) await admit(transaction, at);
            return { result };
          });
    if (attempt !== null) crash("inserted");
    return attempt;
  }

  /** Sends a recorded attempt and settles it by the answer. */
  async function charge(attempt: Attempt): Promise<Attempt> {
    const outcome = await sendCharge(context, attempt, { crash });
    crash("answered");
    const settled = await settle(context, attempt, outcome, { actor: "request", now: now() });
    crash("settled");
    return settled;
  }

  /** Charges after 3-D Secure; only the caller that moved the attempt to `submitting` may. */
  async function chargeOnceAuthenticated(authentication: Promise<AuthenticationResult>): Promise<Attempt> {
    const { attempt, isOurs } = await authentication;
    return isOurs && attempt.state === "submitting" ? charge(attempt) : attempt;
  }

  /** Keeps track of a run, for copies that wait for it and for a graceful stop. */
  function keep(id: string, run: Promise<Attempt>): Promise<Attempt> {
    const kept = run.finally(() => running.delete(id));
    running.set(id, kept);
    kept.catch((error: unknown) => {
      unfinished.add(id);
      log.error({ err: error, attempt: id }, "a payment could not be finished; the sweeper takes it over");
    });
    return kept;
  }

  /** The attempt once it is settled, or once the payer has waited long enough. */
  async function untilSettled(latest: Attempt): Promise<Attempt> {
    const { id } = latest;
    const deadline = performance.now() + settings.customerWaitMs;
    for (let attempt = latest; ; ) {
      const left = deadline - performance.now();
      if (shownAs[attempt.state] !== "processing" || attempt.was_uncertain || left <= 0) return attempt;
      const run = running.get(id)?.catch(() => undefined);
      const step = sleep(Math.min(left, run === undefined ? POLL_MS : left), undefined, { ref: false });
      attempt = (await Promise.race([run ?? step, step])) ?? (await findAttempt(database, id))!;
    }
  }

  const upToTheWait = (run: Promise<Attempt>) =>
    Promise.race([run.catch(() => undefined), sleep(settings.customerWaitMs, undefined, { ref: false })]);

  return {
    /**
     * Records the submission, commits, asks the provider once (with 3-D Secure, the payer's bank first) and waits up to
     * `customerWaitMs`. A copy of an earlier submission gets that one's attempt. Null if the key or token was used for
     * another request, or another payment for the same order is in progress.
     */
    async submit(submission: Submission, recording: Recording): Promise<Submitted | null> {
      const attempt = await record(submission, recording);
      if (attempt === null) {
        const earlier = await this.answerCopy(submission, await findCopy(database, submission));
        return earlier === "none" ? null : earlier;
      }
      const { authentication } = submission;
      const run =
        authentication === null
          ? charge(attempt)
          : chargeOnceAuthenticated(beginAuthentication(context, attempt, { ...authentication, crash }));
      const charged = keep(attempt.id, run);
      return { attempt: await untilSettled(attempt), charged };
    },

    /**
     * Continues an attempt that waits for the payer to confirm with their bank: asks the bank again, and only its answer
     * decides. Concurrent calls charge once. Null if there is no such attempt; one that isn't waiting is returned as it
     * is.
     */
    async resume(id: string, request: AuthenticationOptions): Promise<Submitted | null> {
      const deadline = performance.now() + settings.customerWaitMs;
      let attempt = await findAttempt(database, id);
      while (attempt?.state === "requires_action" && running.has(id) && performance.now() < deadline) {
        await upToTheWait(running.get(id)!);
        attempt = await findAttempt(database, id);
      }
      if (attempt === undefined) return null;
      if (attempt.state !== "requires_action" || running.has(id)) return { attempt: await untilSettled(attempt) };
      const charged = keep(
        id,
        chargeOnceAuthenticated(continueAuthentication(context, attempt, { ...request, crash })),
      );
      await upToTheWait(charged);
      return { attempt: await untilSettled((await findAttempt(database, id))!), charged };
    },

    /**
     * The answer to a copy of an earlier submission, which `findCopy` has found. 'none' if there is none; null
     * if the same key or token belongs to another request.
     */
    async answerCopy({ requestHash }: Pick<Submission, "requestHash">, earlier: Attempt | undefined) {
      if (earlier === undefined) return "none" as const;
      if (!earlier.request_hash.equals(requestHash)) return null;
      return { attempt: await untilSettled(earlier) };
    },

    /**
     * One tick: marks lost payments and refunds as unknown, also those of dead processes and unfinished ones; cancels
     * what payers left unconfirmed at their bank; and asks the providers about payments and refunds that are due.
     */
    async tick(at: Date = now()): Promise<void> {
      const dead = await findDead();
      const lost = [...unfinished];
      await sweep(database, { dead, lost }, { now: at, giveUpMs: settings.giveUpMs });
      for (const id of lost) unfinished.delete(id);
      await reconcile(context, at);
      await refunds.tick(at, dead);
    },

    refunds,

    /** Waits for the charges and refunds in progress, for a graceful stop. */
    async finish(): Promise<void> {
      await Promise.allSettled([...running.values(), refunds.finish()]);
    },

    /** For the mail job's crash point. */
    crash,
  };
}

/** The attempt that a submission starts, as the argument of `record_payment`. */
function describeSubmission(
  { subject, authentication, ...submission }: Submission,
  { settings, processId }: PaymentsContext,
  now: Date,
): string {
  return describeRecording(
    {
      id: randomUUID(),
      donation_id: subject.kind === "donation" ? subject.id : null,
      ticket_order_id: subject.kind === "ticket_order" ? subject.id : null,
      provider: submission.provider,
      order_reference: newReference("P"),
      idempotency_key: randomUUID(),
      client_key: submission.clientKey,
      request_hash: submission.requestHash,
      instrument_hash: hashInstrument(submission.instrument),
      instrument: submission.instrument,
      amount_cents: submission.amountCents,
      customer_ip_address: submission.customerIpAddress,
      owner: processId ?? null,
      browser_id: submission.browser ?? null,
    },
    { state: authentication === null ? "submitting" : "created", now, leaseMs: settings.leaseMs },
  );
}

/** The attempt of an earlier submission with the same key or token. */
export function findCopy(connection: Connection, { clientKey, instrument }: Submission): Promise<Attempt | undefined> {
  return findAttemptOf(connection, { clientKey, instrumentHash: hashInstrument(instrument) });
}

/** SHA-256 of a card token or PayPal nonce, so that a second use is noticed but the stored value can't be charged. */
export function hashInstrument(instrument: string): Buffer {
  return createHash("sha256").update("instrument:").update(instrument).digest();
}
