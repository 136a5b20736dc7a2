import type { AdminPart } from "#admin/feature.ts";
import { readPlace, writePlace } from "#admin/list-place.ts";
import type { AdminReads } from "#admin/screen.ts";
import { dayInSydney, plural } from "#shared/language.ts";
import { countWaitingLonger, listApplications, readBoard } from "../../server/listed-applications.ts";
import { listRoles } from "../../server/roles.ts";
import { longWaitSince } from "../../waiting.ts";
import type { Board } from "../board/board.ts";
import type { VolunteerAdminServices } from "../volunteer-admin-services.ts";
import { type ApplicationList, readFilter } from "./read-filter.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readVolunteerBoard: () => Promise<Board>;
    readonly listVolunteerApplications: (query: Readonly<Record<string, string>>) => Promise<ApplicationList>;
  }
}

const ROWS_OF_LIST = 25;
const CARDS_OF_LANE = 30;
const MONTH_MS = 30 * 86_400_000;

/** The applications as a board and as a list, and the dashboard's sentence about those that wait too long. */
export function listPart({ database, now }: Pick<VolunteerAdminServices, "database" | "now">): AdminPart {
  const reads: Partial<AdminReads> = {
    async readVolunteerBoard() {
      const at = now();
      const approvedSince = new Date(at.getTime() - MONTH_MS);
      const [lanes, waiting] = await Promise.all([
        readBoard(database, { most: CARDS_OF_LANE, approvedSince }),
        countWaitingLonger(database, longWaitSince(at)),
      ]);
      return { lanes, waiting, now: at };
    },
    async listVolunteerApplications(query) {
      const roles = (await listRoles(database)).map(({ title }) => title);
      const read = readFilter(query, roles);
      const at = now();
      const { rows, newer, older } = await listApplications(database, read.filter, {
        ...{ today: dayInSydney(at), limit: ROWS_OF_LIST },
        ...{ olderThan: readPlace(query.older), newerThan: readPlace(query.newer) },
      });
      return { ...read, roles, rows, newer: writePlace(newer), older: writePlace(older), now: at };
    },
  };
  return {
    reads,
    dashboard: [
      {
        right: "applications.see",
        async listWaiting() {
          const count = await countWaitingLonger(database, longWaitSince(now()));
          if (count === 0) return [];
          const text = plural(count, {
            one: "An application to volunteer has waited for more than five days",
            other: `${count} applications to volunteer have waited for more than five days`,
          });
          return [{ text, linkText: "Go on with applications", path: "/admin/volunteers", look: "act" }];
        },
      },
    ],
  };
}
