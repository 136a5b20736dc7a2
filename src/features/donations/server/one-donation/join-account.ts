import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { joinGuestDonations } from "../guest-donations.ts";
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
    const account = await requireAccount(transaction, donation.email);
    await transaction
      .updateTable("donations")
      .set({ user_id: account.id, stays_out_of_account: false })
      .where("id", "=", donationId)
      .execute();
    const act = { verb: "donation.join-account", subject: "donation", subjectId: donationId };
    await recordAct(transaction, actor, { ...act, after: { account: account.id } }, now());
  });
}

async function requireAccount(transaction: Connection, email: string): Promise<{ readonly id: number }> {
  const account = await transaction
    .selectFrom("users")
    .select("id")
    .where(({ fn, ref }) => fn("lower", [ref("email")]), "=", email.toLowerCase())
    .where("email_verified_at", "is not", null)
    .forKeyShare()
    .executeTakeFirst();
  if (account === undefined) throw new Refusal("No account has confirmed this address. Nothing was done.");
  return account;
}

/**
 * Adds all donations that were made as a guest with the same address to its account, and returns how many. Anonymous
 * ones are left out, and those that staff took out of an account.
 * @throws Refusal if no account has confirmed the address, or there are none.
 */
export function joinAllToAccount({ database, now }: Services, donationId: string, actor: Actor): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { email } = await requireDonation(transaction, donationId);
    if (email === "") throw new Refusal(IS_ERASED);
    const { id: account } = await requireAccount(transaction, email);
    const joined = await joinGuestDonations(transaction, { userId: account, email });
    if (joined.length === 0) throw new Refusal("All of this person’s donations are in the account. Nothing was done.");
    const at = now();
    for (const subjectId of joined) {
      const act = { verb: "donation.join-account", subject: "donation", subjectId, after: { account } };
      await recordAct(transaction, actor, act, at);
    }
    return joined.length;
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
