import { z } from "zod";
import { type Action, action } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { AdminReads } from "#admin/screen.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { plural } from "#shared/language.ts";
import { joinAllToAccount } from "../../server/one-donation/join-account.ts";
import { findDonorEmail } from "../../server/one-donation/person.ts";
import type { DonationReader } from "../donation/find-donation.ts";
import { findShownPerson, type ShownPerson } from "./find-shown-person.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /**
     * What was given under an email address. Records the look under this id if something shows faith and the viewer may
     * see that.
     */
    readonly findPerson: (person: { id: string; email: string }, reader: DonationReader) => Promise<ShownPerson>;
  }
}

/** A person's page. */
export function personPart(services: CoreServices<"database" | "now">): AdminPart {
  const reads: Partial<AdminReads> = { findPerson: (person, reader) => findShownPerson(services, person, reader) };
  const findEmail = (id: string) => findDonorEmail(services.database, id);
  return { reads, actions: [joinAllAction(services)], person: [{ right: "donations.see", findEmail }] };
}

/** `id` is that of one of the person's donations. */
const joinAllAction = (services: CoreServices<"database" | "now">): Action =>
  action({
    path: "/admin/people/:id/account",
    screen: "/admin/people/:id",
    right: "donations.change",
    fields: z.object({}),
    async run({ params, actor }) {
      const count = await joinAllToAccount(services, params.id!, actor);
      const toast = plural(count, {
        one: "1 donation is in the donor’s account now.",
        other: `${count} donations are in the donor’s account now.`,
      });
      return { to: `/admin/people/${params.id}`, toast };
    },
  });
