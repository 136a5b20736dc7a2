import { z } from "zod";
import { formatDay } from "#shared/language.ts";

// Working With Children Checks. A state issues them to a person for at most five years. The organisation must verify
// the number with the state's register, and record who did so and when (Child Protection (Working with Children) Act
// 2012 (NSW) and the other states' laws).

export const checkStates = ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"] as const;

/** What is recorded. The number's format differs between states and changes, so only its characters are checked. */
export const CheckFields = z.object({
  state: z.enum(checkStates, "Choose the state that issued the check"),
  number: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9/-]{4,20}$/, "Enter the number as shown on the check: 4 to 20 letters and digits"),
  kind: z.enum(["volunteer", "paid"], "Choose volunteer or paid work"),
  expiresOn: z.iso.date("Enter the expiry date as YYYY-MM-DD"),
});
export type CheckFields = z.output<typeof CheckFields>;

/** A check lasts at most five years; a later date is a typing error. */
const MAX_YEARS = 5;

/** What is wrong with the expiry date of a check being recorded; null if nothing. */
export function expiryFault(expiresOn: string, today: string): string | null {
  if (expiresOn < today) return "This check has already expired";
  return expiresOn > addMonths(today, MAX_YEARS * 12)
    ? "A check lasts at most five years. Check the expiry date"
    : null;
}

type KnownCheck = {
  readonly expiresOn: string;
  readonly verifiedAt: Date | null;
  readonly revokedAt?: Date | null;
};

/** Why this check does not allow a role that needs one; null if it does. A check is valid on its last day. */
export function checkFault(check: KnownCheck | undefined, today: string): string | null {
  if (check === undefined) return "no Working With Children Check is recorded";
  if (check.expiresOn < today) return `the Working With Children Check expired on ${formatDay(check.expiresOn)}`;
  if (check.revokedAt) return "the state’s register no longer shows the Working With Children Check as valid";
  return check.verifiedAt === null ? "the Working With Children Check has not been verified with the state" : null;
}

/** The same day some months later or earlier, or the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(date, last)))
    .toISOString()
    .slice(0, 10);
}
