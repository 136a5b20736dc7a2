import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";

export type OrganisationContact = Pick<Organisation, "name" | "phone" | "email">;

/** Contact details for the middle of a sentence. */
export function ContactWays({ organisation: { phone, email } }: { organisation: OrganisationContact }) {
  return (
    <>
      phone on <a href={telephoneLink(phone)}>{phone}</a> or by email at <a href={`mailto:${email}`}>{email}</a>
    </>
  );
}
