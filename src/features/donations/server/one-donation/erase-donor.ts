import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { revokeLinks } from "#shared/links/document-links.ts";
import { isOver } from "../erasure/is-over.ts";
import { eraseDonors } from "../retention.ts";
import { CHANGED_MEANWHILE, IS_ERASED } from "./require-donation.ts";

type Services = CoreServices<"database" | "now"> & { readonly log: FastifyBaseLogger };

type Erasure = {
  readonly donationId: string;
  /** The address that the form showed. */
  readonly email: string;
  /** This donation, or all donations under its email address. */
  readonly scope: "one" | "all";
  readonly reason: string;
};

type Erased = { readonly count: number; readonly waiting: number };

/**
 * Erases a donor's data, except for what the law requires. Donations whose payment, refund or receipt is still open are
 * erased later by the retention job (`retention.ts`). Returns how many were erased, and how many wait. @throws Refusal
 * if the data was erased already, or the address has changed since it was read.
 */
export function eraseDonor(
  { database, now, log }: Services,
  { donationId, email, scope, reason }: Erasure,
  actor: Actor,
): Promise<Erased> {
  return database.transaction().execute(async (transaction) => {
    const at = now();
    // All in one statement and in the same order, so that two callers wait for each other instead of deadlocking.
    const locked = await transaction
      .selectFrom("donations")
      .select(["id", "email", "account_closed_at"])
      .where(({ or, and, eb }) =>
        or([
          eb("id", "=", donationId),
          and([eb("email", "!=", ""), sql<boolean>`lower(email) = lower(${scope === "all" ? email : ""})`]),
        ]),
      )
      .orderBy("id")
      .forNoKeyUpdate()
      .execute();
    const donation = locked.find(({ id }) => id === donationId);
    if (donation === undefined) throw new AppError("not_found");
    if (donation.email === "") throw new Refusal(IS_ERASED);
    if (donation.email !== email) throw new Refusal(CHANGED_MEANWHILE);
    if (donation.account_closed_at !== null) throw new Refusal("It is erased as soon as its payment is decided.");
    const ids = locked.flatMap(({ id, account_closed_at }) => (account_closed_at === null ? id : []));
    await transaction
      .updateTable("donations")
      .set({ user_id: null, stays_out_of_account: true, account_closed_at: at })
      .where("id", "in", ids)
      .execute();
    const count = await eraseDonors(
      transaction,
      sql`select id from donations where id = any(${ids}::uuid[]) and ${isOver}`,
    );
    for (const id of ids) {
      await recordAct(transaction, actor, { verb: "donation.erase", subject: "donation", subjectId: id, reason }, at);
      const by = actor.staff?.name ?? "staff";
      await revokeLinks({ database: transaction, now: () => at, log }, { kind: "receipt", id }, by);
    }
    return { count, waiting: ids.length - count };
  });
}
