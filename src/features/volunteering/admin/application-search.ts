import type { SearchPart } from "#admin/search.ts";
import type { Database } from "#shared/database/connect.ts";
import { formatMoment } from "#shared/language.ts";
import { searchApplications } from "../server/find-applications.ts";
import { stageStatus } from "./stage-status.ts";

/** Applications to volunteer for the search of the whole back office. */
export function applicationSearch(database: Database): SearchPart {
  return {
    right: "applications.see",
    async find(text) {
      const hits = (await searchApplications(database, text)).map(({ id, name, reference, stage, at }) => {
        const day = formatMoment(at, { day: "numeric", month: "short", year: "numeric", timeZone: "Australia/Sydney" });
        return {
          label: name,
          detail: [reference, stageStatus[stage].label, day].join(", "),
          path: `/admin/volunteers/${id}`,
        };
      });
      return [{ title: "Applications to volunteer", icon: "people", hits }];
    },
  };
}
