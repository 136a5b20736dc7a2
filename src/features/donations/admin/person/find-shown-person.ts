import { showsFaith } from "#admin/faith.ts";
import type { Database } from "#shared/database/connect.ts";
import { findPerson, type PersonDonation, type PersonWithDonations } from "../../server/one-donation/person.ts";
import { type DonationReader, maySeeFaith } from "../donation/find-donation.ts";

export type ShownPersonDonation = Omit<PersonDonation, "lines"> & {
  /** The titles that the viewer may see, and how many more there are. */
  readonly titles: readonly string[];
  readonly hidden: number;
};
export type ShownPerson = Omit<PersonWithDonations, "donations"> & {
  readonly donations: readonly ShownPersonDonation[];
  readonly hidesFaith: boolean;
};

/**
 * A person as the viewer may see them. A look at what shows faith is recorded once: with the donation with this `id`
 * or, if the id is not a donation's, with the person's latest donation.
 */
export async function findShownPerson(
  services: { readonly database: Database; readonly now: () => Date },
  { id, email }: { readonly id: string; readonly email: string },
  reader: DonationReader,
): Promise<ShownPerson> {
  const person = await findPerson(services.database, email);
  const donationId = person.donations.some((donation) => donation.id === id) ? id : (person.donations[0]?.id ?? id);
  const hasFaith = person.donations.some(({ lines }) => lines.some(({ fund }) => showsFaith(fund)));
  const hidesFaith = hasFaith && !(await maySeeFaith(services, donationId, reader, "person"));
  const donations = person.donations.map(({ lines, ...donation }) => {
    const seen = lines.filter(({ fund }) => !hidesFaith || !showsFaith(fund));
    return { ...donation, titles: [...new Set(seen.map(({ title }) => title))], hidden: lines.length - seen.length };
  });
  // Who never gave is known by the account alone.
  const { account } = person;
  const isNamedByAccount = person.donations.length === 0 && account !== undefined;
  const names = isNamedByAccount
    ? [{ name: `${account.first_name} ${account.last_name}`, postcode: null }]
    : person.names;
  return { ...person, names, donations, hidesFaith };
}
