import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import { makeChallenge, spendChallenge } from "#shared/passkeys/challenges.ts";
import type { PasskeyOptions, UsedPasskey } from "#shared/passkeys/contract.ts";
import {
  challengeOf,
  doesCounterRise,
  makeRequestOptions,
  passkeyHost,
  verifyUsedPasskey,
} from "#shared/passkeys/passkeys.ts";
import { browserFromNowOn, browserOf } from "#shared/sessions/browser.ts";
import { findStaffPasskey, lockStaffPasskey } from "./passkey-store.ts";
import { isAdministrator } from "./people/administrators.ts";
import { actorOf, type StaffServices } from "./services.ts";

/** What a passkey is used for: to log in from this browser, or to confirm within a session of this person. */
type PasskeyUse = { readonly confirms?: { readonly sessionId: string; readonly staffId: number } };

function challengeFor(secretKey: string, { confirms }: PasskeyUse, browser: string | undefined) {
  if (confirms !== undefined) return { secretKey, purpose: "staff confirm", holder: confirms.sessionId } as const;
  return { secretKey, purpose: "staff log in", holder: browser ?? "" } as const;
}

/** Options for using a passkey. They name nobody, and are the same for everyone. */
export function askForStaffPasskey(
  { config, now }: StaffServices,
  use: PasskeyUse,
  request: FastifyRequest,
): Promise<PasskeyOptions> {
  const site = challengeFor(config.secretKey, use, browserFromNowOn(request));
  return makeRequestOptions(config, makeChallenge(site, now()));
}

export type ProvedStaff = { readonly id: number; readonly name: string; readonly email: string };

/**
 * Checks the use of a passkey and runs `then` in the same transaction. A passkey whose counter does not rise is blocked,
 * because nobody can tell which of its two copies is the owner's; the person and all administrators are told.
 * @throws Refusal with a sentence that says what to do.
 */
export async function proveByPasskey<Result>(
  services: StaffServices,
  used: UsedPasskey,
  use: PasskeyUse,
  request: FastifyRequest,
  then: (transaction: Connection, staff: ProvedStaff) => Promise<Result>,
): Promise<Result> {
  const { config, database, now } = services;
  const [at, challenge] = [now(), challengeOf(used)];
  const site = challengeFor(config.secretKey, use, browserOf(request));
  if (!(await spendChallenge(database, challenge, site, at))) {
    throw new Refusal("That took longer than five minutes, or it was for another browser. Try again.");
  }
  const kept = await findStaffPasskey(database, used.id);
  if (kept === undefined || (use.confirms !== undefined && use.confirms.staffId !== kept.staffId)) {
    throw new Refusal("This passkey is not known here. Use another one, or another way.");
  }
  const verified = await verifyUsedPasskey(config, used, kept, challenge);
  if (verified === null) throw new Refusal("This passkey could not be checked. Try again, or use another way.");
  const outcome = await database.transaction().execute(async (transaction) => {
    const locked = await lockStaffPasskey(transaction, kept.id);
    const staff = await findActive(transaction, kept.staffId);
    if (locked === undefined || staff === undefined) return { refused: "unknown" } as const;
    if (locked.blockedAt !== null) return { refused: "blocked" } as const;
    if (!doesCounterRise(locked.counter, verified.counter)) {
      await block(services, transaction, { ...kept, at }, { staff, request });
      return { refused: "blocked" } as const;
    }
    await transaction
      .updateTable("staff_passkeys")
      .set({ counter: verified.counter, last_used_at: at, host: passkeyHost(config) })
      .where("id", "=", kept.id)
      .execute();
    return { result: await then(transaction, staff) };
  });
  if ("result" in outcome) return outcome.result;
  throw new Refusal(refusals[outcome.refused]);
}

const refusals = {
  unknown: "This passkey is not known here. Use another one, or another way.",
  blocked:
    "This passkey is blocked, because a copy of it may exist. Use another one, or another way. We have told you and the administrators by email.",
} as const;

/** Undefined unless the account works. */
export function findActive(transaction: Connection, staffId: number): Promise<ProvedStaff | undefined> {
  return transaction
    .selectFrom("staff")
    .select(["id", "name", "email"])
    .where("id", "=", staffId)
    .where("state", "=", "active")
    .executeTakeFirst();
}

type Blocked = { readonly id: string; readonly staffId: number; readonly name: string; readonly at: Date };

async function block(
  { jobs }: StaffServices,
  transaction: Connection,
  { id, staffId, name, at }: Blocked,
  { staff, request }: { staff: ProvedStaff; request: FastifyRequest },
): Promise<void> {
  await transaction.updateTable("staff_passkeys").set({ blocked_at: at }).where("id", "=", id).execute();
  const act = { verb: "staff-passkey.block", subject: "staff", subjectId: String(staffId), after: { passkey: name } };
  await recordAct(transaction, actorOf(staff, request), act, at);
  const administrators = await transaction
    .selectFrom("staff")
    .select("id")
    .where("state", "=", "active")
    .where((where) => where.or([where("id", "=", staffId), isAdministrator]))
    .orderBy("id")
    .execute();
  for (const { id: recipientId } of administrators) {
    const job = { template: "staff-passkey-blocked", staffId, recipientId, emailId: randomUUID() } as const;
    await jobs.send(transaction, "emails", job);
  }
}
