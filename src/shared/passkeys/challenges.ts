import { createHmac, randomBytes } from "node:crypto";
import type { Connection } from "#shared/database/connect.ts";
import { isSameSecret } from "#shared/http/same-secret.ts";

export const CHALLENGE_LIFE_MS = 5 * 60_000;

/** `holder` identifies the browser or session that requested the challenge; only that one may answer it. */
type ChallengeFor = {
  readonly secretKey: string;
  readonly purpose: "log in" | "add" | "staff log in" | "staff confirm" | "staff add";
  readonly holder: string;
};

/** A challenge in base64url: 16 random bytes, the expiry, and our signature over both. It is not stored. */
export function makeChallenge(site: ChallengeFor, now: Date): string {
  const head = Buffer.alloc(20);
  randomBytes(16).copy(head);
  head.writeUInt32BE(Math.floor((now.getTime() + CHALLENGE_LIFE_MS) / 1000), 16);
  return Buffer.concat([head, sign(site, head)]).toString("base64url");
}

/** Uses up a challenge. False if it is not ours, has another purpose or holder, has expired, or was used before. */
export async function spendChallenge(
  connection: Connection,
  challenge: string,
  site: ChallengeFor,
  now: Date,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, "base64url");
  // Only the canonical base64url, so that another spelling does not count as unused.
  if (bytes.length !== 52 || bytes.toString("base64url") !== challenge) return false;
  const head = bytes.subarray(0, 20);
  const expiresAt = new Date(head.readUInt32BE(16) * 1000);
  if (!isSameSecret(bytes.subarray(20), sign(site, head)) || expiresAt <= now) return false;
  const { numInsertedOrUpdatedRows } = await connection
    .insertInto("used_passkey_challenges")
    .values({ challenge, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Removes challenges that expired an hour ago, because the clocks of processes may differ. */
export async function forgetUsedChallenges(connection: Connection, now: Date): Promise<number> {
  const over = new Date(now.getTime() - 3_600_000);
  const { numDeletedRows } = await connection
    .deleteFrom("used_passkey_challenges")
    .where("expires_at", "<", over)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function sign({ secretKey, purpose, holder }: ChallengeFor, head: Buffer): Buffer {
  return createHmac("sha256", secretKey).update(`passkey challenge\n${purpose}\n${holder}\n`).update(head).digest();
}
