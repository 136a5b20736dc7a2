import { z } from "zod";
import { Email, FirstName, LastName } from "#shared/contract/payer.ts";
import { Postcode } from "#shared/contract/postcode.ts";
import { ANONYMOUS } from "../../donor.ts";
import type { Personal } from "../../draft.ts";

const Anybody = z.string();

/** Step 1 (DON-4, DON-5): a disabled field is not validated, so an anonymous donation needs only the email. */
export const PersonalForm = z.discriminatedUnion("isAnonymous", [
  z.object({
    isAnonymous: z.literal(false),
    firstName: FirstName,
    lastName: LastName,
    email: Email,
    postcode: Postcode,
  }),
  z.object({ isAnonymous: z.literal(true), firstName: Anybody, lastName: Anybody, email: Email, postcode: Anybody }),
]);

export const emptyPersonal: Personal = { firstName: "", lastName: "", email: "", postcode: "", isAnonymous: false };

/** Ticking sets the names; unticking clears the fields that were disabled (DON-5). */
export function anonymised(personal: Personal, isAnonymous: boolean): Personal {
  return isAnonymous
    ? { ...personal, ...ANONYMOUS, postcode: "", isAnonymous }
    : { ...personal, firstName: "", lastName: "", postcode: "", isAnonymous };
}

export function isPersonalComplete(personal: Personal): boolean {
  return PersonalForm.safeParse(personal).success;
}

/** 'Sana Malik', or 'Anonymous User'. */
export function donorName({ firstName, lastName }: Personal): string {
  return `${firstName} ${lastName}`;
}
