import type { AdminPart } from "#admin/feature.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { donationAuditFields, donationAuditWords, donationListAuditWords } from "./audit-words.ts";

/** The audit trail's words for acts on donations, and how it finds donations. */
export function auditPart({ database }: CoreServices<"database">): AdminPart {
  const listNames = async (ids: readonly string[]) => {
    const rows = await database.selectFrom("donations").select(["id", "reference"]).where("id", "in", ids).execute();
    return new Map(rows.map(({ id, reference }) => [id, reference]));
  };
  return {
    auditWords: { ...donationAuditWords, ...donationListAuditWords },
    auditFields: donationAuditFields,
    auditSubjects: {
      donation: {
        label: "donation",
        group: "Donations",
        path: (id) => `/admin/donations/${id}`,
        listNames,
        async find(text) {
          const found = database
            .selectFrom("donations")
            .select("id")
            .where("reference", "=", text.trim().toUpperCase());
          return (await found.execute()).map(({ id }) => id);
        },
      },
      donations: { label: "", group: "Exports of donations" },
      faith: { label: "", group: "Looks at Zakat and Qurban" },
      person: { label: "the donor of donation", group: "Donors", path: (id) => `/admin/people/${id}`, listNames },
    },
  };
}
