import type { AdminPart } from "#admin/feature.ts";
import { formatDay } from "#shared/language.ts";
import type { BookkeepingServices } from "./admin-parts.ts";
import { bookkeepingAuditFields, bookkeepingAuditWords } from "./audit-words.ts";

/** The audit trail's words for the acts of bookkeeping and for the things they are done to. */
export function auditPart({ database }: BookkeepingServices): AdminPart {
  return {
    auditWords: bookkeepingAuditWords,
    auditFields: bookkeepingAuditFields,
    auditSubjects: {
      difference: {
        label: "difference",
        group: "Differences",
        listNames: async (ids) => {
          const rows = await database
            .selectFrom("reconciliation_findings")
            .select(["id", "reference"])
            .where("id", "in", ids.length === 0 ? [0] : ids.map(Number))
            .execute();
          return new Map(rows.map(({ id, reference }) => [String(id), reference]));
        },
      },
      reconciliation: {
        label: "the books of",
        group: "Reconciliation",
        path: (day) => `/admin/reconciliation/${day}`,
        listNames: async (days) => new Map(days.map((day) => [day, formatDay(day)])),
      },
      payment: { label: "payment", group: "Payments" },
      "card-guard": { label: "guard of cards", group: "Guard of cards", path: () => "/admin/reconciliation/payments" },
      job: { label: "failed email", group: "Failed emails" },
      restore: { label: "restore", group: "Restores from a backup" },
      journal: { label: "journal", group: "Journal", path: () => "/admin/journal" },
    },
  };
}
