import { z } from "zod";

// Working With Children Checks: issued by a state, to a person, for five years at most; the organisation verifies the
// number with the state's own register and keeps who did so and when (domain.md, Child Protection (Working with Children)
// Act 2012 (NSW) and its siblings).

export const checkStates = ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"] as const;

/** What is written down of a check. The form of the number differs from state to state and changes: only its signs are looked at. */
export const CheckFields = z.object({
  state: z.enum(checkStates, "Choose the state that issued the check"),
  number: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9/-]{4,20}$/, "Enter the number as it stands on the check: 4 to 20 letters and digits"),
  kind: z.enum(["volunteer", "paid"], "Choose whether it is for volunteers or for paid work"),
  expiresOn: z.iso.date("Enter the day on which it ends, as YYYY-MM-DD"),
});
export type CheckFields = z.output<typeof CheckFields>;

/** A check lasts five years; a day further away is a slip of the pen. */
const MOST_YEARS = 5;

/** What is wrong with the day on which a check ends, when it is recorded; null when nothing is. */
export function expiryFault(expiresOn: string, today: string): string | null {
  if (expiresOn < today) return "This check has already ended";
  return expiresOn > addMonths(today, MOST_YEARS * 12)
    ? "A check lasts five years at most: look at the day again"
    : null;
}

type KnownCheck = { readonly expiresOn: string; readonly verifiedAt: Date | null };

/** What keeps somebody with this check from a role that needs one; null when nothing does. A check counts on its last day. */
export function checkFault(check: KnownCheck | undefined, today: string): string | null {
  if (check === undefined) return "no Working With Children Check is recorded";
  if (check.expiresOn < today) return `the Working With Children Check ended on ${check.expiresOn}`;
  return check.verifiedAt === null ? "the Working With Children Check has not been verified with the state" : null;
}

/** From which day on a volunteer is reminded that a check ends. */
export function remindFrom(expiresOn: string): string {
  return addMonths(expiresOn, -3);
}

/** The same day some months later or earlier; where that month is shorter, its last day. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(date, last)))
    .toISOString()
    .slice(0, 10);
}
