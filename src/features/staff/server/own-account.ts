import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { VerifiedNewPasskey } from "./new-passkey.ts";
import { MAX_PASSKEYS } from "./new-passkey.ts";
import { listStaffPasskeys, lockStaff } from "./passkey-store.ts";
import { isEmailedToPerson } from "./people/account-change-words.ts";
import { queuePersonEmails } from "./people/change-staff.ts";
import { countRecoveryCodes, keepRecoveryCodes } from "./recovery-codes.ts";
import type { StaffServices } from "./services.ts";
import { type NewPassword, removeOwnPassword, setPassword } from "./ways-to-log-in.ts";

export type OwnPasskey = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly isBlocked: boolean;
};

/** How somebody can log in. */
export type OwnWaysToLogIn = {
  readonly passkeys: readonly OwnPasskey[];
  readonly hasPassword: boolean;
  readonly recoveryCodes: number;
};

/** @throws Error if there is no such member of staff. */
export async function listOwnWaysToLogIn(
  { database }: Pick<StaffServices, "database">,
  staffId: number,
): Promise<OwnWaysToLogIn> {
  const [passkeys, staff, recoveryCodes] = await Promise.all([
    listStaffPasskeys(database, staffId),
    database.selectFrom("staff").select("password_hash").where("id", "=", staffId).executeTakeFirstOrThrow(),
    countRecoveryCodes(database, staffId),
  ]);
  return {
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt, blockedAt }) => ({
      id,
      name,
      createdAt,
      lastUsedAt,
      isBlocked: blockedAt !== null,
    })),
    hasPassword: staff.password_hash !== null,
    recoveryCodes,
  };
}

/**
 * A change of a person's own account. It happens in one transaction with the person locked, is recorded, and may be
 * told by email.
 */
type Change = {
  readonly staffId: number;
  readonly actor: Actor;
  readonly verb: string;
};

/** `run` returns what the audit trail records. */
function changeAccount(
  { database, jobs, now }: StaffServices,
  { staffId, actor, verb }: Change,
  run: (
    transaction: Connection,
    staff: { name: string; passwordHash: string | null },
    at: Date,
  ) => Promise<{ before?: object; after?: object }>,
): Promise<void> {
  const at = now();
  return database.transaction().execute(async (transaction) => {
    const staff = await lockStaff(transaction, staffId);
    if (staff?.state !== "active") throw new Refusal("Your account has ended.");
    const recorded = await run(transaction, staff, at);
    const act = { verb, subject: "staff", subjectId: String(staffId), ...recorded };
    const actId = await recordAct(transaction, actor, act, at);
    if (isEmailedToPerson(verb))
      await queuePersonEmails({ jobs }, { transaction }, "staff-way-in-changed", { actId, to: [staffId] });
  });
}

type Who = Omit<Change, "verb">;

/** What the person did before keeps the earlier name. */
export function changeOwnName(services: StaffServices, who: Who, name: string): Promise<void> {
  return changeAccount(services, { ...who, verb: "staff.rename" }, async (transaction, staff) => {
    if (staff.name === name) throw new Refusal("This is your name already. Nothing was changed.");
    await transaction.updateTable("staff").set({ name }).where("id", "=", who.staffId).execute();
    return { before: { name: staff.name }, after: { name } };
  });
}

/** @throws Refusal if the person has the most passkeys that are allowed. */
export function addPasskey(services: StaffServices, who: Who, { name, keep }: VerifiedNewPasskey): Promise<void> {
  return changeAccount(services, { ...who, verb: "staff-passkey.add" }, async (transaction) => {
    if ((await listStaffPasskeys(transaction, who.staffId)).length >= MAX_PASSKEYS) {
      throw new Refusal(`You have ${MAX_PASSKEYS} passkeys. Remove one first.`);
    }
    await keep(transaction, who.staffId);
    return { after: { passkey: name } };
  });
}

const notThere = "This passkey is not there any more. Nothing was changed.";

/** @throws Refusal if the passkey was removed in the meantime. */
export function renamePasskey(services: StaffServices, who: Who, id: string, name: string): Promise<void> {
  return changeAccount(services, { ...who, verb: "staff-passkey.rename" }, async (transaction) => {
    const passkey = (await listStaffPasskeys(transaction, who.staffId)).find((one) => one.id === id);
    if (passkey === undefined) throw new Refusal(notThere);
    await transaction.updateTable("staff_passkeys").set({ name }).where("id", "=", id).execute();
    return { before: { passkey: passkey.name }, after: { passkey: name } };
  });
}

/** @throws Refusal if it is the last way to log in. */
export function removePasskey(services: StaffServices, who: Who, id: string): Promise<void> {
  return changeAccount(services, { ...who, verb: "staff-passkey.remove" }, async (transaction, { passwordHash }) => {
    const passkeys = await listStaffPasskeys(transaction, who.staffId);
    const passkey = passkeys.find((one) => one.id === id);
    if (passkey === undefined) throw new Refusal(notThere);
    const others = passkeys.filter((one) => one.id !== id && one.blockedAt === null);
    if (others.length === 0 && passwordHash === null) {
      throw new Refusal("This is your only way to log in. Add another passkey, or a password, before you remove it.");
    }
    await transaction.deleteFrom("staff_passkeys").where("id", "=", id).execute();
    return { before: { passkey: passkey.name } };
  });
}

/** Sets the password, its app and its codes. Other sessions of the person end. */
export function changePassword(
  services: StaffServices,
  who: Who & { readonly sessionId: string },
  password: NewPassword,
): Promise<void> {
  return changeAccount(services, { ...who, verb: "staff-password.set" }, async (transaction, { passwordHash }) => {
    await setPassword(transaction, services.config.secretKey, who.staffId, password);
    await services.staffSessions.endAll(transaction, who.staffId, { except: who.sessionId });
    return { before: { hadPassword: passwordHash !== null } };
  });
}

/** Removes password, app and codes together. @throws Refusal if they are the last way to log in. */
export function removePassword(services: StaffServices, who: Who): Promise<void> {
  return changeAccount(services, { ...who, verb: "staff-password.remove" }, async (transaction, { passwordHash }) => {
    if (passwordHash === null) throw new Refusal("You have no password. Nothing was changed.");
    const passkeys = await listStaffPasskeys(transaction, who.staffId);
    if (passkeys.every(({ blockedAt }) => blockedAt !== null)) {
      throw new Refusal("This is your only way to log in. Add a passkey before you remove it.");
    }
    await removeOwnPassword(transaction, who.staffId);
    return {};
  });
}

/** Replaces all earlier codes. @throws Refusal if the person has no password. */
export function renewRecoveryCodes(services: StaffServices, who: Who, codes: readonly string[]): Promise<void> {
  return changeAccount(services, { ...who, verb: "staff-codes.renew" }, async (transaction, { passwordHash }) => {
    if (passwordHash === null) throw new Refusal("Recovery codes go with a password. Set one first.");
    await keepRecoveryCodes(transaction, services.config.secretKey, who.staffId, codes);
    return {};
  });
}

/** @throws Refusal if the session is over already. */
export function endSession(services: StaffServices, who: Who, id: string): Promise<void> {
  return changeAccount(services, { ...who, verb: "staff-session.end" }, async (transaction) => {
    if (!(await services.staffSessions.endOne(transaction, who.staffId, id))) {
      throw new Refusal("That session is over already.");
    }
    return {};
  });
}
