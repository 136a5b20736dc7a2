import type { Connection } from "#shared/database/connect.ts";
import { Refusal } from "./actions.ts";
import type { Actor } from "./audit.ts";
import { type ActingRight, hasRight, type Right, type Role, rolesWith } from "./rights.ts";
import "./tables.ts";

// What one person requests and another decides. A table of such requests has the columns of `StaffRequest`, and
// constraints that say the same.

/** Always a member of staff, never a command. */
export type StaffActor = Actor & { readonly staff: NonNullable<Actor["staff"]> };

type StaffRequest = {
  readonly requested_by: number;
  /** Null while it waits. `alone`: one person was enough. */
  readonly decision: "alone" | "approved" | "declined" | "withdrawn" | null;
};

/** Who requests and who decides, and a sentence for each reason why somebody cannot. */
export type TwoPeopleRule = {
  readonly requests: ActingRight;
  readonly decides: ActingRight;
  readonly refusals: {
    readonly mayNotDecide: string;
    /** The requester has lost the right. */
    readonly mayNotRequest: (requester: string) => string;
    readonly approvesOwn: string;
    readonly declinesOwn: string;
    readonly withdrawsAnothers: string;
    readonly approved: string;
    readonly declined: string;
    readonly withdrawn: string;
  };
};

type Member = { readonly roles: readonly Role[]; readonly state: string };

/** Locks members of staff in the order of their ids, so that their rights and what they refund alone can't change. */
export function lockMembers(transaction: Connection, ids: readonly number[], lock: "to sum up" | "to read") {
  return transaction
    .selectFrom("staff")
    .select(["id", "name", "roles", "state"])
    .where("id", "in", [...ids])
    .orderBy("id")
    .$if(lock === "to sum up", (query) => query.forNoKeyUpdate())
    .$if(lock === "to read", (query) => query.forShare())
    .execute();
}

/** The active members of staff who have a right, by name. */
export function listStaffWith(connection: Connection, right: Right) {
  return connection
    .selectFrom("staff")
    .select(["id", "name", "email"])
    .where("state", "=", "active")
    .where("roles", "&&", (where) => where.val(rolesWith(right)))
    .orderBy("name")
    .execute();
}

const isAllowed = (member: Member | undefined, right: Right) => member?.state === "active" && hasRight(member, right);

/** @throws Refusal with this sentence if the person does not, or no longer, have the right. */
export function requireRight(member: Member | undefined, right: Right, refusal: string): void {
  if (!isAllowed(member, right)) throw new Refusal(refusal);
}

/**
 * Checks before anything but staff is locked that an approval is two people's decision: the approver did not make the
 * request, and both have their rights at this moment. @throws Refusal
 */
export async function requireApprover(
  transaction: Connection,
  { requested_by }: StaffRequest,
  { staff }: StaffActor,
  { requests, decides, refusals }: TwoPeopleRule,
): Promise<void> {
  if (requested_by === staff.id) throw new Refusal(refusals.approvesOwn);
  const members = await lockMembers(transaction, [requested_by, staff.id], "to read");
  requireRight(
    members.find(({ id }) => id === staff.id),
    decides,
    refusals.mayNotDecide,
  );
  const requester = members.find(({ id }) => id === requested_by)!;
  requireRight(requester, requests, refusals.mayNotRequest(requester.name));
}

/** The same for declining, for which the requester needs no right any more. @throws Refusal */
export async function requireDecliner(
  transaction: Connection,
  { requested_by }: StaffRequest,
  { staff }: StaffActor,
  { decides, refusals }: TwoPeopleRule,
): Promise<void> {
  const [member] = await lockMembers(transaction, [staff.id], "to read");
  requireRight(member, decides, refusals.mayNotDecide);
  if (requested_by === staff.id) throw new Refusal(refusals.declinesOwn);
}

/** @throws Refusal if somebody else made the request. */
export function requireRequester({ requested_by }: StaffRequest, { staff }: StaffActor, rule: TwoPeopleRule): void {
  if (requested_by !== staff.id) throw new Refusal(rule.refusals.withdrawsAnothers);
}

/** Checks, once the request is locked, that nobody has decided it. @throws Refusal */
export function requireOpen({ decision }: StaffRequest, { refusals }: TwoPeopleRule): void {
  if (decision !== null) throw new Refusal(refusals[decision === "alone" ? "approved" : decision]);
}
