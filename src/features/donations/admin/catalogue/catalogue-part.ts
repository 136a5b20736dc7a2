import type { AdminPart } from "#admin/feature.ts";
import { dayInSydney } from "#shared/language.ts";
import { type Cause, findCause, listCauses, listPrices, type SetPrice } from "../../server/find-cause.ts";
import { catalogueAuditFields, catalogueAuditWords } from "./catalogue-audit.ts";
import { CATALOGUE_PATH, type CatalogueServices, readId } from "./catalogue-step.ts";
import { causeActions } from "./cause-actions.ts";
import { kindActions } from "./kind-actions.ts";
import { priceActions } from "./price-actions.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listCauses: () => Promise<Cause[]>;
    readonly findCause: (id: string) => Promise<{ readonly cause: Cause; readonly prices: SetPrice[] } | null>;
  }
}

/** What donors can give to. */
export function cataloguePart(services: CatalogueServices): AdminPart {
  const { database, now } = services;
  return {
    reads: {
      listCauses: () => listCauses(database, dayInSydney(now())),
      findCause: async (id: string) => {
        const cause = await findCause(database, readId(id), dayInSydney(now()));
        return cause && { cause, prices: await listPrices(database, cause.id) };
      },
    },
    actions: [...causeActions(services), ...kindActions(services), ...priceActions(services)],
    auditWords: catalogueAuditWords,
    auditFields: catalogueAuditFields,
    auditSubjects: {
      catalogue: {
        label: "cause",
        group: "What donors give to",
        path: (id) => `${CATALOGUE_PATH}/${id}`,
        listNames: async (ids) => {
          const rows = await database
            .selectFrom("donation_categories")
            .select(["id", "title"])
            .where("id", "in", ids.map(Number))
            .execute();
          return new Map(rows.map(({ id, title }) => [String(id), title]));
        },
      },
    },
  };
}
