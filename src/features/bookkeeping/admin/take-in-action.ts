import pg from "pg";
import { z } from "zod";
import { type Action, action, Refusal, type SentForm } from "#admin/actions.ts";
import { providerTitles } from "#payments/reconciliation/reconciliation-report.ts";
import { closeFinding, type KeptFinding, lockOpenFinding } from "#payments/reconciliation/reconciliation-store.ts";
import { type ForeignCharge, readForeignCharge, settleTakenIn } from "#payments/reconciliation/take-in.ts";
import { review } from "#payments/refunds/review.ts";
import { Email, FirstName, LastName } from "#shared/contract/payer.ts";
import { formatDollars } from "#shared/language.ts";
import { describeEnd } from "../server/findings.ts";
import type { BookkeepingServices } from "./admin-parts.ts";
import { renewSums } from "./compare-day.ts";

const kind = "charge_without_payment";

const Fields = z.object({
  first_name: FirstName,
  last_name: LastName,
  email: Email,
  cause: z.string("Choose what it was given to").regex(/^[a-z-]{1,60}(:\d{1,15})?$/, "Choose what it was given to"),
  /** The cents that the page showed. */
  shown: z.coerce.number().int().positive(),
});
type Sent = SentForm<z.output<typeof Fields>>;

/**
 * Takes in a charge that the provider holds and we don't know, as a donation. The amount, the currency and the day come
 * from the provider's books, read at this moment. The finding's row is locked, so that of two people one takes it in.
 */
export function takeInCharge(services: BookkeepingServices): Action {
  const { database, subject, log, now } = services;
  return action({
    path: "/admin/reconciliation/:day/take-in/:id",
    right: "reconciliation.change",
    needsProof: true,
    screen: "/admin/reconciliation/:day",
    fields: Fields,
    async run(sent) {
      const charge = await readCharge(services, sent);
      const { attempt, reference, day } = await record(services, charge, sent);
      // Refunds and disputes of the charge; the nightly comparison would find them too.
      await review({ database, subject, log }, attempt, charge.rows, now()).catch((error: unknown) =>
        log.error({ err: error, attempt: attempt.id }, "refunds of a charge that was taken in could not be recorded"),
      );
      await renewSums(services, { provider: charge.provider, day }, sent.request.log);
      return {
        to: `/admin/reconciliation/${day}`,
        toast: `Taken in as donation ${reference}. The receipt is on its way.`,
      };
    },
  });
}

/** @throws Refusal if the finding is no longer open, or the provider's books don't have what the page showed. */
async function readCharge({ database, providers }: BookkeepingServices, { params, fields }: Sent) {
  const id = Number(params.id);
  if (!Number.isSafeInteger(id)) throw new Refusal("There is no such difference.");
  const finding: KeptFinding | undefined = await database
    .selectFrom("reconciliation_findings")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "=", kind)
    .executeTakeFirst();
  if (finding === undefined) throw new Refusal("There is no such difference.");
  if (finding.resolved_at !== null) throw new Refusal(await describeEnd(database, id));
  const at = providerTitles[finding.provider];
  const charge = await readForeignCharge(providers, finding).catch(() => {
    throw new Refusal(`The books of ${at} can’t be read now. Nothing was done. Try again in a few minutes.`);
  });
  if (charge === null || charge.heldCents === 0) {
    throw new Refusal(`${at} does not hold this charge in Australian dollars any more. Compare the day again.`);
  }
  if (charge.heldCents !== fields.shown) {
    const held = formatDollars(charge.heldCents);
    throw new Refusal(`${at} now holds ${held} of this charge. Nothing was done. Compare the day again.`);
  }
  return charge;
}

/** One transaction: the donation, its payment, the closed finding, the ledger and the receipt. */
async function record(services: BookkeepingServices, charge: ForeignCharge, { params, fields, actor, staff }: Sent) {
  const { database, subject, takenIn, now } = services;
  const id = Number(params.id);
  const recorded = database.transaction().execute(async (transaction) => {
    const at = now();
    const finding = await lockOpenFinding(transaction, { id, kind });
    if (finding === undefined) throw new Refusal(await describeEnd(transaction, id));
    const { first_name: firstName, last_name: lastName, email, cause } = fields;
    const taken = { charge, day: finding.day, donor: { firstName, lastName, email }, cause };
    const { attempt, reference } = await takenIn.record(transaction, taken, { actor, now: at });
    const reason = `Taken in as donation ${reference}`;
    await closeFinding(transaction, { id, by: staff.id, reason, attemptId: attempt.id, now: at });
    await settleTakenIn(transaction, subject, { attempt, charge }, at);
    return { attempt, reference, day: finding.day };
  });
  return recorded.catch((error: unknown) => {
    // A payment of ours was settled with this transaction at the same moment.
    if (error instanceof pg.DatabaseError && error.constraint === ONE_PAYMENT) {
      throw new Refusal("One of our payments stands for this charge now. Nothing was done. Compare the day again.");
    }
    throw error;
  });
}

const ONE_PAYMENT = "payment_attempts_provider_provider_transaction_id_key";
