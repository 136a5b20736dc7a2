import { parsePhoneNumberFromString } from "libphonenumber-js/mobile";
import type { Connection } from "#shared/database/connect.ts";
import { AppError, type FieldErrors } from "#shared/errors.ts";
import { findCountryByName, listStates } from "#shared/places/store.ts";
import { wireField } from "../contract.ts";

type Given = { readonly country: string; readonly state: string; readonly mobile: string };

const FEWEST_DIGITS = 6;

/**
 * Holds what a person typed against the countries and states that there are (LOG-12, LOG-13).
 * @returns the mobile number as it is kept: digits, the dial code first, no trunk 0 behind it.
 * @throws AppError `invalid_input`.
 */
export async function checkDetails(connection: Connection, { country, state, mobile }: Given): Promise<string> {
  const found = await findCountryByName(connection, country);
  if (found === undefined) throw wrong({ [wireField.country]: ["Choose a country from the list"] });
  const states = (await listStates(connection, found.id)) ?? [];
  if (states.length > 0 && !states.some(({ name }) => name === state)) {
    throw wrong({ [wireField.state]: ["Choose a state of this country from the list"] });
  }
  const kept = withoutTrunk(mobile.replace(/^\+/, ""), found.dialCode);
  if (kept.length < FEWEST_DIGITS) throw wrong({ [wireField.mobile]: ["Enter a mobile number of 6 to 14 digits"] });
  return kept;
}

/** Whether the number is one that a mobile telephone of the country may have; only good for a hint. */
export async function isLikelyMobile(
  connection: Connection,
  { country, mobile }: Omit<Given, "state">,
): Promise<boolean> {
  const found = await findCountryByName(connection, country);
  const digits = mobile.replace(/^\+/, "");
  if (found === undefined || !digits.startsWith(found.dialCode)) return false;
  return parsePhoneNumberFromString(`+${withoutTrunk(digits, found.dialCode)}`)?.isValid() ?? false;
}

function withoutTrunk(digits: string, dialCode: string): string {
  return digits.startsWith(`${dialCode}0`) ? dialCode + digits.slice(dialCode.length + 1) : digits;
}

function wrong(fields: FieldErrors): AppError {
  return new AppError("invalid_input", { fields });
}
