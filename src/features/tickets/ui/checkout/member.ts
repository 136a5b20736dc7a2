import { z } from "zod";
import { USER_KEY } from "#shared/ui/session-record.ts";
import type { Buyer } from "../../contract.ts";

/** What the header keeps of a logged-in person in session storage, in the wire's spelling; nothing trusts it (LOG-17). */
const SessionUser = z.object({
  first_name: z.string().default(""),
  last_name: z.string().default(""),
  email: z.string().default(""),
  /** Dial code and number, digits alone. */
  mobile: z.string().default(""),
  country: z.string().default(""),
  city: z.string().default(""),
  postal_code: z.string().default(""),
});

/** What is known of whoever seems to be logged in. */
export function findMember(): Partial<Buyer> {
  try {
    const user = SessionUser.safeParse(JSON.parse(sessionStorage.getItem(USER_KEY) ?? "null")).data;
    if (user === undefined) return {};
    const { first_name: firstName, last_name: lastName, email, mobile, country, city, postal_code: postcode } = user;
    return {
      firstName,
      lastName,
      email,
      phone: mobile && `+${mobile.replace(/^\+/, "")}`,
      country,
      suburb: city,
      postcode,
    };
  } catch {
    return {}; // storage is switched off
  }
}
