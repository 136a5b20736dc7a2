import { messages } from "#shared/contract/messages.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError, type FieldErrors } from "#shared/errors.ts";
import { findCountryByName, listStates } from "#shared/places/store.ts";
import { wireField } from "../contract.ts";

type Given = { readonly country: string; readonly state: string; readonly mobile: string; readonly city: string };

const MIN_DIGITS = 6;

/**
 * Checks country, state and mobile against the known places (LOG-12, LOG-13).
 * @returns as they are stored the mobile number (digits, dial code first, no trunk 0) and the city, of which
 * 'Not required' says nothing.
 * @throws AppError `invalid_input`.
 */
export async function checkDetails(
  connection: Connection,
  { country, state, mobile, city }: Given,
): Promise<Pick<Given, "mobile" | "city">> {
  const found = await findCountryByName(connection, country);
  if (found === undefined) throw wrong({ [wireField.country]: ["Choose a country from the list"] });
  const states = (await listStates(connection, found.id)) ?? [];
  if (states.length > 0 && !states.some(({ name }) => name === state)) {
    throw wrong({ [wireField.state]: ["Choose one of this country’s states from the list"] });
  }
  const kept = withoutTrunk(mobile.replace(/^\+/, ""), found.dialCode);
  if (kept.length < MIN_DIGITS) throw wrong({ [wireField.mobile]: [messages.mobile] });
  return { mobile: kept, city: /^not required$/i.test(city) ? "" : city };
}

/** Whether the number could be a mobile in that country; only a hint. */
export async function isLikelyMobile(
  connection: Connection,
  { country, mobile }: Pick<Given, "country" | "mobile">,
): Promise<boolean> {
  const found = await findCountryByName(connection, country);
  const digits = mobile.replace(/^\+/, "");
  if (found === undefined || !digits.startsWith(found.dialCode)) return false;
  // Loaded when first needed, because it would take a twentieth of the start.
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/mobile");
  return parsePhoneNumberFromString(`+${withoutTrunk(digits, found.dialCode)}`)?.isValid() ?? false;
}

function withoutTrunk(digits: string, dialCode: string): string {
  return digits.startsWith(`${dialCode}0`) ? dialCode + digits.slice(dialCode.length + 1) : digits;
}

function wrong(fields: FieldErrors): AppError {
  return new AppError("invalid_input", { fields });
}
