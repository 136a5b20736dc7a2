import type { PersonPart, PersonRow } from "#admin/person.ts";
import type { Database } from "#shared/database/connect.ts";
import { formatDay, formatList } from "#shared/language.ts";
import { type FoundApplication, findApplicantEmail, listApplicationsOf } from "../server/find-applications.ts";
import { stageStatus } from "./stage-status.ts";

/** The applications on a person’s page: without photo, address, phone and emergency contact, which are not read. */
export function applicationPersonPart(database: Database): PersonPart {
  return {
    right: "applications.see",
    findEmail: (id) => findApplicantEmail(database, id),
    async readTable(email) {
      const applications = await listApplicationsOf(database, email);
      return {
        id: "volunteering",
        title: "Volunteering",
        caption: "Applications of this email address, latest first",
        about: "Applied for",
        detailsTitle: "Roles and checks",
        rows: applications.map(describe),
        none: "Nobody applied to volunteer with this email address.",
        names: [...new Set(applications.map(({ name }) => name))],
      };
    },
  };
}

function describe({ id, reference, interests, roles, stage, at, check }: FoundApplication): PersonRow {
  return {
    reference,
    at,
    title: formatList(interests, "comma"),
    status: stageStatus[stage],
    cents: null,
    path: `/admin/volunteers/${id}`,
    details: [
      ...(roles.length > 0 ? [`Taken on for ${formatList(roles, "and")}`] : []),
      ...(check === null ? [] : [describeCheck(check)]),
    ],
  };
}

function describeCheck({ expiresOn, isVerified }: NonNullable<FoundApplication["check"]>): string {
  const day = formatDay(expiresOn);
  return isVerified
    ? `Working With Children Check verified, until ${day}`
    : `Working With Children Check not verified, until ${day}`;
}
