import { Refusal } from "#admin/actions.ts";
import {
  requireApprover,
  requireDecliner,
  requireOpen,
  requireRequester,
  type StaffActor,
  type TwoPeopleRule,
} from "#admin/two-people.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { Organisation } from "#shared/organisation.ts";
import "./tables.ts";

export type BankAccountDecision = "approved" | "declined" | "withdrawn";

/** Whoever changes settings asks, and another of them decides. */
export const bankAccountRule: TwoPeopleRule = {
  requests: "settings.change",
  decides: "settings.change",
  refusals: {
    mayNotDecide: "You may no longer change settings. An administrator can give you a role that may.",
    mayNotRequest: (requester) =>
      `${requester} may no longer change settings, so this would not be two people’s decision. Decline it. Somebody else can then ask again.`,
    approvesOwn: "You asked for this, so another administrator has to approve it.",
    declinesOwn: "You asked for this. You can withdraw it, but another administrator decides.",
    withdrawsAnothers: "Somebody else asked for this. You can decline it.",
    approved: "This was approved in the meantime. Nothing more was changed.",
    declined: "This was declined in the meantime. Nothing was changed.",
    withdrawn: "This was withdrawn in the meantime. Nothing was changed.",
  },
};

/** Somebody asked to change the bank accounts that donors see. */
export type BankAccountRequest = {
  readonly id: number;
  readonly banks: Organisation["banks"];
  /** The version of the organisation’s details that whoever asked has seen. */
  readonly seenVersion: number;
  readonly requestedBy: { readonly id: number; readonly name: string };
  readonly requestedAt: Date;
  /** Null while the request waits. */
  readonly decision: BankAccountDecision | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly decisionReason: string;
};

const selectRequests = (connection: Connection) =>
  connection
    .selectFrom("bank_account_requests as r")
    .innerJoin("staff as asker", "asker.id", "r.requested_by")
    .leftJoin("staff as decider", "decider.id", "r.decided_by")
    .select(["r.id", "r.banks", "r.seen_version", "r.requested_at", "r.decision", "r.decided_at", "r.decision_reason"])
    .select(["asker.id as askerId", "asker.name as askerName", "decider.name as deciderName"]);

type Row = Awaited<ReturnType<ReturnType<typeof selectRequests>["executeTakeFirstOrThrow"]>>;

const toRequest = (row: Row): BankAccountRequest => ({
  id: row.id,
  banks: row.banks,
  seenVersion: row.seen_version,
  requestedBy: { id: row.askerId, name: row.askerName },
  requestedAt: row.requested_at,
  decision: row.decision,
  decidedBy: row.deciderName,
  decidedAt: row.decided_at,
  decisionReason: row.decision_reason,
});

/** The request with this id, which is the text of an address; null if there is none. */
export async function findBankAccountRequest(connection: Connection, id: string): Promise<BankAccountRequest | null> {
  if (!/^\d{1,15}$/.test(id)) return null;
  const row = await selectRequests(connection).where("r.id", "=", Number(id)).executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

/** The request that waits; null if none does. */
export async function findOpenBankAccountRequest(connection: Connection): Promise<BankAccountRequest | null> {
  const row = await selectRequests(connection).where("r.decision", "is", null).executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

type Asked = Pick<BankAccountRequest, "banks" | "seenVersion"> & { readonly by: number; readonly at: Date };

/**
 * Keeps new accounts until somebody has decided; call it with the organisation’s details locked. Returns the request’s
 * id. @throws Refusal while another request waits.
 */
export async function askForBankAccounts(
  transaction: Connection,
  { banks, seenVersion, by, at }: Asked,
): Promise<number> {
  const waiting = await findOpenBankAccountRequest(transaction);
  if (waiting !== null) {
    throw new Refusal(
      `${waiting.requestedBy.name} has already asked to change the bank accounts. Approve, decline or withdraw that first.`,
    );
  }
  const { id } = await transaction
    .insertInto("bank_account_requests")
    .values({ banks: JSON.stringify(banks), seen_version: seenVersion, requested_by: by, requested_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

type Decision = {
  readonly decision: BankAccountDecision;
  readonly actor: StaffActor;
  readonly at: Date;
  readonly reason?: string;
};

/** Writes the decision. @throws AppError `not_found`; Refusal if it is decided, or not this person’s to decide. */
export async function decideBankAccounts(
  transaction: Connection,
  id: string,
  { decision, actor, at, reason = "" }: Decision,
): Promise<BankAccountRequest> {
  const request = await findBankAccountRequest(transaction, id);
  if (request === null) throw new AppError("not_found");
  const asked = { requested_by: request.requestedBy.id, decision: null };
  if (decision === "withdrawn") requireRequester(asked, actor, bankAccountRule);
  else if (decision === "declined") await requireDecliner(transaction, asked, actor, bankAccountRule);
  else await requireApprover(transaction, asked, actor, bankAccountRule);
  const locked = await transaction
    .selectFrom("bank_account_requests")
    .select(["requested_by", "decision"])
    .where("id", "=", request.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  requireOpen(locked, bankAccountRule);
  await transaction
    .updateTable("bank_account_requests")
    .set({ decision, decided_by: actor.staff.id, decided_at: at, decision_reason: reason })
    .where("id", "=", request.id)
    .execute();
  return request;
}
