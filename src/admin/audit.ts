import type { Connection } from "#shared/database/connect.ts";
import type { StaffMember } from "./rights.ts";

/** Who acts, and from where: a member of staff, or a command run on the server. */
export type Actor = { readonly staff: Pick<StaffMember, "id" | "name"> | null; readonly ipAddress: string };

export const commandLine: Actor = { staff: null, ipAddress: "" };

export type Act = {
  /** What was done, as 'subject.verb': 'refund.request', 'staff.invite'. */
  readonly verb: string;
  /** The kind of thing it was done to, and its id. */
  readonly subject: string;
  readonly subjectId: string;
  /** What changed: the values before and after. Never a secret. */
  readonly before?: object;
  readonly after?: object;
  readonly reason?: string;
};

/** What the trail has in place of search words: it can never be erased, and they may name somebody. */
export const WITH_SEARCH_WORDS = "with search words";

/** Adds to the audit trail, and returns the act’s id. Call it in the transaction of the change itself. */
export async function recordAct(connection: Connection, actor: Actor, act: Act, at: Date): Promise<number> {
  const { id } = await connection
    .insertInto("audit_trail")
    .values({
      at,
      staff_id: actor.staff?.id ?? null,
      actor: actor.staff?.name ?? "Command on the server",
      ip_address: actor.ipAddress,
      verb: act.verb,
      subject: act.subject,
      subject_id: act.subjectId,
      before: act.before === undefined ? null : JSON.stringify(act.before),
      after: act.after === undefined ? null : JSON.stringify(act.after),
      reason: act.reason ?? "",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
