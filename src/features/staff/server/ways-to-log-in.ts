import type { Connection } from "#shared/database/connect.ts";
import { forgetLogInCodes } from "./log-in-codes.ts";
import { keepRecoveryCodes } from "./recovery-codes.ts";
import { seal, unseal } from "./seal.ts";

const totpPurpose = (staffId: number) => `code of staff ${staffId}`;

/** Removes a person's passkeys, password and codes. Does not end their sessions. */
export async function removeWaysToLogIn(transaction: Connection, staffId: number): Promise<void> {
  await transaction.deleteFrom("staff_passkeys").where("staff_id", "=", staffId).execute();
  await removeOwnPassword(transaction, staffId);
}

/** Removes the password, its app and all codes, including those of log-ins in progress. */
export async function removeOwnPassword(transaction: Connection, staffId: number): Promise<void> {
  await forgetLogInCodes(transaction, staffId);
  await transaction.deleteFrom("staff_recovery_codes").where("staff_id", "=", staffId).execute();
  await transaction
    .updateTable("staff")
    .set({ password_hash: null, totp_secret: null, totp_step: null })
    .where("id", "=", staffId)
    .execute();
}

export type NewPassword = {
  readonly hash: string;
  /** The authenticator app's secret, and the step of the code that showed that the app has it. */
  readonly totpSecret: string;
  readonly totpStep: number;
  readonly recoveryCodes: readonly string[];
};

/** Sets a password with its authenticator app and recovery codes, instead of any earlier ones. */
export async function setPassword(
  transaction: Connection,
  secretKey: string,
  staffId: number,
  { hash, totpSecret, totpStep, recoveryCodes }: NewPassword,
): Promise<void> {
  await transaction
    .updateTable("staff")
    .set({
      password_hash: hash,
      totp_secret: seal(secretKey, totpPurpose(staffId), totpSecret),
      totp_step: totpStep,
    })
    .where("id", "=", staffId)
    .execute();
  await forgetLogInCodes(transaction, staffId);
  await keepRecoveryCodes(transaction, secretKey, staffId, recoveryCodes);
}

/** Null if the site's secret key has changed since it was set. */
export function openTotpSecret(secretKey: string, staffId: number, sealed: Buffer): string | null {
  return unseal(secretKey, totpPurpose(staffId), sealed);
}
