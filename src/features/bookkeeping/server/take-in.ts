import type { Actor } from "#admin/audit.ts";
import type { Attempt } from "#payments/attempts.ts";
import type { ForeignCharge } from "#payments/reconciliation/take-in.ts";
import { undecidedStates } from "#payments/states.ts";
import type { Connection } from "#shared/database/connect.ts";
import { addDays, startOfDayInSydney } from "#shared/language.ts";
import type { Difference } from "./findings.ts";

/** What the feature with the donations does when staff take in a charge that was made outside the site. */
export type TakenInDonations = {
  /** What a charge of this amount on this day can have been given to. */
  listCauses(
    connection: Connection,
    of: { cents: number; day: string },
  ): Promise<readonly { readonly value: string; readonly label: string }[]>;
  /**
   * Writes the donation and its payment, which still has to be settled. @throws Refusal, or AppError for the cause;
   * nothing has been written then.
   */
  record(
    transaction: Connection,
    taken: {
      readonly charge: ForeignCharge;
      readonly day: string;
      readonly donor: { readonly firstName: string; readonly lastName: string; readonly email: string };
      readonly cause: string;
    },
    by: { actor: Actor; now: Date },
  ): Promise<{ readonly attempt: Attempt; readonly reference: string }>;
};

/** What the form to take in a charge offers, and the gift that the charge may be for. */
export type ForeignChargeFacts = {
  readonly causes: Awaited<ReturnType<TakenInDonations["listCauses"]>>;
  readonly closest: {
    readonly id: string;
    readonly reference: string;
    readonly cents: number;
    readonly at: Date;
  } | null;
};

/** By the id of each open difference that is a charge without a payment. */
export async function listForeignCharges(
  connection: Connection,
  takenIn: Pick<TakenInDonations, "listCauses">,
  differences: readonly Difference[],
): Promise<ReadonlyMap<number, ForeignChargeFacts>> {
  const foreign = differences.filter(({ kind, endedAt }) => kind === "charge_without_payment" && endedAt === null);
  const facts = new Map<number, ForeignChargeFacts>();
  for (const { id, day, theirsCents: cents } of foreign) {
    const [causes, closest] = await Promise.all([
      takenIn.listCauses(connection, { cents, day }),
      findClosestGift(connection, { cents, day }),
    ]);
    facts.set(id, { causes, closest });
  }
  return facts;
}

/** A gift of the same amount on the same day in Sydney that was not paid, the latest if there are several. */
async function findClosestGift(connection: Connection, { cents, day }: { cents: number; day: string }) {
  const gift = await connection
    .selectFrom("payment_attempts as attempt")
    .innerJoin("donations as donation", "donation.id", "attempt.donation_id")
    .select(["donation.id", "donation.reference", "attempt.amount_cents as cents", "attempt.created_at as at"])
    .where("attempt.created_at", ">=", startOfDayInSydney(day))
    .where("attempt.created_at", "<", startOfDayInSydney(addDays(day, 1)))
    .where("attempt.amount_cents", "=", cents)
    .where("attempt.state", "in", [...undecidedStates, "failed", "cancelled", "not_found"])
    .orderBy("attempt.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return gift ?? null;
}
