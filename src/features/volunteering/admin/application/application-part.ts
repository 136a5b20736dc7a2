import type { AdminPart } from "#admin/feature.ts";
import { readReference } from "#payments/reference.ts";
import { volunteeringAuditFields } from "../audit-words.ts";
import type { VolunteerAdminServices } from "../volunteer-admin-services.ts";
import { applicationActions } from "./application-actions.ts";
import { checkActions } from "./check-actions.ts";
import { applicationReads } from "./find-application.ts";

/** One application: its screen, what staff do there, and the audit trail’s words for it. */
export function applicationPart(services: VolunteerAdminServices): AdminPart {
  const { database } = services;
  return {
    reads: applicationReads(services),
    actions: [...applicationActions(services), ...checkActions(services)],
    auditWords: applicationAuditWords,
    auditFields: volunteeringAuditFields,
    auditSubjects: {
      application: {
        label: "application",
        group: "Applications to volunteer",
        path: (id) => `/admin/volunteers/${id}`,
        async listNames(ids) {
          const known = database
            .selectFrom("volunteer_applications")
            .select(["id", "reference"])
            .where("id", "in", ids);
          return new Map((await known.execute()).map(({ id, reference }) => [id, reference]));
        },
        async find(text) {
          const reference = readReference(text, "V");
          if (reference === null) return [];
          const found = database.selectFrom("volunteer_applications").select("id").where("reference", "=", reference);
          return (await found.execute()).map(({ id }) => id);
        },
      },
      check: { label: "", group: "Working With Children Checks" },
    },
  };
}

const applicationAuditWords = {
  "application.end-links": "ended the links to",
  "application.review": "took into review",
  "application.approve": "approved",
  "application.put-on-waiting-list": "put on the waiting list",
  "application.decline": "declined",
  "application.withdraw": "withdrew",
  "application.ask": "asked for more about",
  "application.answered": "recorded that an answer has come about",
  "application.note": "wrote a note on",
  "application.look": "looked at somebody’s photo, signature or emergency contact in",
  "application.roles": "changed the volunteer’s roles of",
  "check.record": "recorded a Working With Children Check with",
  "check.verify": "verified the Working With Children Check of",
  "check.revoke": "recorded that the Working With Children Check is no longer valid, of",
} as const;
