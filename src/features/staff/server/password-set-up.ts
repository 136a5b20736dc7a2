import { z } from "zod";
import { AppError } from "#shared/errors.ts";
import { hashPassword } from "#shared/sessions/passwords.ts";
import { makeRecoveryCodes } from "./recovery-codes.ts";
import { seal, unseal } from "./seal.ts";
import { findTotpStep, makeTotpSecret } from "./totp.ts";
import type { NewPassword } from "./ways-to-log-in.ts";

/** How long a form with a new secret and new codes may stay open. */
const LIFE_MS = 60 * 60_000;
const MAX_PASSWORD_LENGTH = 128;

const Sealed = z.object({ totpSecret: z.string(), recoveryCodes: z.array(z.string()), until: z.number() });

/**
 * What the form shows. None of it works until the form is sent. `sealed`, which only we can read, brings it back with
 * the form.
 */
type OfferedSetUp = {
  readonly totpSecret: string;
  readonly recoveryCodes: readonly string[];
  readonly sealed: string;
};

const purposeOf = (staffId: number) => `set-up of staff ${staffId}`;

/** A new secret and new codes, or those of the form that is shown again, so that the person need not scan twice. */
export async function offerSetUp(
  secretKey: string,
  staffId: number,
  sealed: string | undefined,
  now: Date,
): Promise<OfferedSetUp> {
  const kept = sealed === undefined ? null : openSetUp(secretKey, staffId, sealed, now);
  if (kept !== null && sealed !== undefined) return { ...kept, sealed };
  const offered = { totpSecret: await makeTotpSecret(), recoveryCodes: makeRecoveryCodes() };
  const text = JSON.stringify({ ...offered, until: now.getTime() + LIFE_MS });
  return { ...offered, sealed: seal(secretKey, purposeOf(staffId), text).toString("base64url") };
}

/** Null if it is not ours, another person's, or too old. */
export function openSetUp(secretKey: string, staffId: number, sealed: string, now: Date) {
  const text = unseal(secretKey, purposeOf(staffId), Buffer.from(sealed, "base64url"));
  if (text === null) return null;
  const { until, ...offered } = Sealed.parse(JSON.parse(text));
  return until > now.getTime() ? offered : null;
}

const shortPassword = "Use at least 12 characters. Three or four words are easy to remember.";

/** The fields of a form that sets a password. */
export const PasswordSetUp = z.object({
  setUp: z.string().max(4000),
  newPassword: z.string(shortPassword).min(12, shortPassword).max(MAX_PASSWORD_LENGTH, "Use at most 128 characters."),
  code: z
    .string("Enter the code that the app shows.")
    .trim()
    .min(1, "Enter the code that the app shows.")
    .max(20, "Enter the six digits that the app shows."),
  areKept: z.literal("yes", "Keep the recovery codes first: they are not shown again."),
});
export type PasswordSetUp = z.output<typeof PasswordSetUp>;

/** @throws AppError with messages for the fields if the code is wrong, or the form was open for too long. */
export async function checkSetUp(
  secretKey: string,
  staffId: number,
  { setUp, newPassword, code }: PasswordSetUp,
  now: Date,
): Promise<NewPassword> {
  const refuse = (message: string) => new AppError("invalid_input", { fields: { code: [message] } });
  const offered = openSetUp(secretKey, staffId, setUp, now);
  if (offered === null) {
    throw refuse("This form was open for too long. Scan the new QR code, keep the new recovery codes, and try again.");
  }
  const { totpSecret, recoveryCodes } = offered;
  const totpStep = await findTotpStep(totpSecret, code, now);
  if (totpStep === null)
    throw refuse("This is not the app’s code of now. Check the time on your phone, and try again.");
  return { hash: await hashPassword(newPassword), totpSecret, totpStep, recoveryCodes };
}
