import { randomUUID } from "node:crypto";
import { type Registration, registerCall, type User } from "#features/accounts/contract.ts";
import { call } from "#shared/contract/call.ts";
import { createVisitor, type TestSite, type Visitor } from "./site.ts";

export const PASSWORD = "correct horse battery";

/** A member who is logged in: the browser, the account and its password. */
export type RegisteredMember = { readonly visitor: Visitor; readonly user: User; readonly password: string };

/** The fields of a registration; each person has a different email unless `changes` has one. */
export function registration(changes: Partial<Registration> = {}): Registration {
  return {
    firstName: "Amina",
    lastName: "Raza",
    email: `amina-${randomUUID()}@example.com`,
    country: "Australia",
    state: "New South Wales",
    mobile: "61400000000",
    postcode: "2144",
    preferredContact: "SMS",
    city: "",
    password: PASSWORD,
    ...changes,
  };
}

/**
 * Registers with the site's own call and a solved captcha, and logs in `visitor` (a new one unless given).
 * @throws Error if the site refuses.
 */
export async function registerUser(
  site: Pick<TestSite, "app">,
  visitor?: Visitor,
  changes: Partial<Registration> = {},
): Promise<RegisteredMember> {
  const browser = visitor ?? (await createVisitor(site.app));
  const body = registration({ captcha: await browser.solveCaptcha("register"), ...changes });
  const answer = await call(browser.send, registerCall, { body });
  if (!answer.ok) throw new Error(`The registration was refused: ${JSON.stringify(answer)}`);
  return { visitor: browser, user: answer.data, password: body.password };
}
