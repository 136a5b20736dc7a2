import { MAX_NAMED, nameFirst, type WaitingLine } from "#admin/dashboard.ts";
import type { AdminPart } from "#admin/feature.ts";
import { readPage } from "#admin/list-place.ts";
import type { AdminReads } from "#admin/screen.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { addDays, dayInSydney, formatDay, plural } from "#shared/language.ts";
import {
  type CountedList,
  countWaitingLonger,
  listApplications,
  listEndingChecks,
  listWaitingLonger,
  readBoard,
} from "../../server/listed-applications.ts";
import { listRoles } from "../../server/roles.ts";
import { daysBetween, longWaitSince } from "../../waiting.ts";
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
const MONTH_MS = 30 * DAY_MS;
/** Checks that end within this time are on the dashboard. */
const SOON_DAYS = 30;

/** The applications as a board and as a list, and the dashboard’s sentences about those that wait, and about checks. */
export function listPart({ database, now }: Pick<VolunteerAdminServices, "database" | "now">): AdminPart {
  const reads: Partial<AdminReads> = {
    async readVolunteerBoard() {
      const at = now();
      const approvedSince = new Date(at.getTime() - MONTH_MS);
      const [lanes, waiting] = await Promise.all([
        readBoard(database, { limit: CARDS_OF_LANE, approvedSince }),
        countWaitingLonger(database, longWaitSince(at)),
      ]);
      return { lanes, waiting, now: at };
    },
    async listVolunteerApplications(query) {
      const roles = (await listRoles(database)).map(({ title }) => title);
      const read = readFilter(query, roles);
      const at = now();
      const shown = { today: dayInSydney(at), limit: ROWS_OF_LIST };
      const page = await readPage(query, (edges) => listApplications(database, read.filter, { ...shown, ...edges }));
      return { ...read, roles, ...page, now: at };
    },
  };
  return {
    reads,
    dashboard: [
      {
        right: "applications.change",
        async listWaiting() {
          const at = now();
          const [waiting, checks] = await Promise.all([
            listWaitingLonger(database, longWaitSince(at), MAX_NAMED),
            listEndingChecks(database, {
              today: dayInSydney(at),
              until: addDays(dayInSydney(at), SOON_DAYS),
              limit: MAX_NAMED,
            }),
          ]);
          return [...waitingLines(waiting, at), ...checkLines(checks)];
        },
      },
    ],
  };
}

function waitingLines({ count, first }: CountedList<{ name: string; since: Date }>, now: Date): WaitingLine[] {
  if (count === 0) return [];
  const sentence = plural(count, {
    one: "An application to volunteer has waited for more than five days",
    other: `${count} applications to volunteer have waited for more than five days`,
  });
  const names = first.map(({ name, since }) => `${name} (${daysBetween(since, now)} days)`);
  const text = nameFirst(sentence, names, count);
  return [{ text, linkText: "Review applications", path: "/admin/volunteers", look: "act" }];
}

function checkLines({ count, first }: CountedList<{ name: string; day: string }>): WaitingLine[] {
  if (count === 0) return [];
  const sentence = plural(count, {
    one: "A Working With Children Check ends within 30 days",
    other: `${count} Working With Children Checks end within 30 days`,
  });
  const names = first.map(({ name, day }) => `${name} (${formatDay(day, { day: "numeric", month: "long" })})`);
  const path = "/admin/volunteers/list?stage=approved&check=ends";
  return [{ text: nameFirst(sentence, names, count), linkText: "Checks that end soon", path, look: "warn" }];
}
