import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { IS_ERASED, requireDonation } from "./require-donation.ts";

type Services = CoreServices<"database" | "now">;

/**
 * Adds a guest's donation to the account that has confirmed the same address.
 * @throws Refusal if there is no such account, the donation has one already, or was given anonymously.
 */
export function joinAccount({ database, now }: Services, donationId: string, actor: Actor): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const donation = await requireDonation(transaction, donationId);
    if (donation.user_id !== null) throw new Refusal("This donation is in an account already. Nothing was done.");
    if (donation.email === "" || donation.account_closed_at !== null) throw new Refusal(IS_ERASED);
    if (donation.is_anonymous) throw new Refusal("This gift was given anonymously, so it joins no account.");
    const account = await transaction
      .selectFrom("users")
      .select("id")
      .where(({ fn, ref }) => fn("lower", [ref("email")]), "=", donation.email.toLowerCase())
      .where("email_verified_at", "is not", null)
      .forKeyShare()
      .executeTakeFirst();
    if (account === undefined) throw new Refusal("No account has confirmed this address. Nothing was done.");
    await transaction
      .updateTable("donations")
      .set({ user_id: account.id, stays_out_of_account: false })
      .where("id", "=", donationId)
      .execute();
    const act = { verb: "donation.join-account", subject: "donation", subjectId: donationId };
    await recordAct(transaction, actor, { ...act, after: { account: account.id } }, now());
  });
}

/**
 * Takes a donation out of its account. It becomes a guest's, and never joins an account automatically again. @throws
 * Refusal if it is in none.
 */
export function leaveAccount({ database, now }: Services, donationId: string, actor: Actor): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const donation = await requireDonation(transaction, donationId);
    if (donation.user_id === null) throw new Refusal("This donation is in no account. Nothing was done.");
    await transaction
      .updateTable("donations")
      .set({ user_id: null, stays_out_of_account: true })
      .where("id", "=", donationId)
      .execute();
    const act = { verb: "donation.leave-account", subject: "donation", subjectId: donationId };
    await recordAct(transaction, actor, { ...act, before: { account: donation.user_id } }, now());
  });
}
