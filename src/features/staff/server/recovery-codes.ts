import { createHmac, randomInt } from "node:crypto";
import type { Connection } from "#shared/database/connect.ts";

const MANY = 10;
const LENGTH = 10;
/** 31 characters, without those that look alike in print; so a code has 49 bits. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** Ten new codes: 'k3m9p-7xwqa'. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: MANY }, () => {
    const code = Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join("");
    return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
  });
}

/** What we store of a code. Dashes and capitals make no difference. */
function hashCode(secretKey: string, staffId: number, code: string): Buffer {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, "");
  return createHmac("sha256", secretKey).update(`staff recovery code\n${staffId}\n${plain}`).digest();
}

/** Replaces all codes of a person. */
export async function keepRecoveryCodes(
  transaction: Connection,
  secretKey: string,
  staffId: number,
  codes: readonly string[],
): Promise<void> {
  await transaction.deleteFrom("staff_recovery_codes").where("staff_id", "=", staffId).execute();
  const rows = codes.map((code) => ({
    staff_id: staffId,
    code_hmac: hashCode(secretKey, staffId, code),
    used_at: null,
  }));
  await transaction.insertInto("staff_recovery_codes").values(rows).execute();
}

/**
 * Uses up a code. False if it is not the person's, or was used. If several requests use it at the same time, one
 * succeeds.
 */
export async function spendRecoveryCode(
  transaction: Connection,
  secretKey: string,
  { staffId, code }: { readonly staffId: number; readonly code: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("staff_recovery_codes")
    .set({ used_at: now })
    .where("staff_id", "=", staffId)
    .where("code_hmac", "=", hashCode(secretKey, staffId, code))
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** How many are left to use. */
export async function countRecoveryCodes(connection: Connection, staffId: number): Promise<number> {
  const { left } = await connection
    .selectFrom("staff_recovery_codes")
    .select(({ fn }) => fn.countAll<string>().as("left"))
    .where("staff_id", "=", staffId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(left);
}
