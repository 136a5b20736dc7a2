import type { AdminPart } from "#admin/feature.ts";
import { dayInSydney } from "#shared/language.ts";
import { readPeriod, yearOf } from "../periods.ts";
import { listMonthSoFar } from "../server/month-so-far.ts";
import { listReportChoices, readReport } from "../server/report.ts";
import type { BookkeepingServices } from "./admin-parts.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readReport: ReturnType<typeof reportReads>["readReport"];
  }
}

export const reportsPart = (services: BookkeepingServices): AdminPart => ({
  reads: reportReads(services),
  dashboard: [{ right: "reports.see", listFigures: () => listMonthSoFar(services.database, services.now()) }],
});

function reportReads({ database, now }: BookkeepingServices) {
  return {
    /** The report that the address asks for; this financial year if it names no period. Ignores unknown values. */
    async readReport({ period = "", fund = "", method = "" }: Readonly<Record<string, string | undefined>>) {
      const at = now();
      const today = dayInSydney(at);
      const asked = readPeriod(period);
      const shown = asked !== null && asked.first <= today ? asked : yearOf(today);
      const { years, funds } = await listReportChoices(database, at);
      const filter = {
        fund: funds.some((known) => known.fund === fund) ? fund : null,
        method: method === "cc" || method === "pp" ? method : null,
      } as const;
      return { ...(await readReport(database, shown, filter, at)), years, fundChoices: funds, filter };
    },
  };
}

export type ShownReport = Awaited<ReturnType<ReturnType<typeof reportReads>["readReport"]>>;
