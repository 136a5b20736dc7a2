import type { AdminPart } from "#admin/feature.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { dayInSydney } from "#shared/language.ts";
import { readPeriod, yearOf } from "../periods.ts";
import { listMonthSoFar } from "../server/month-so-far.ts";
import { listReportChoices, readDonationReport } from "../server/report.ts";
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

function reportReads({ database, readingDatabase, now }: BookkeepingServices) {
  return {
    /**
     * The report that the address asks for; this financial year if it names no period. An invalid value is reported, and
     * not applied.
     */
    async readReport({ period = "", fund = "", method = "" }: Readonly<Record<string, string | undefined>>) {
      const at = now();
      const today = dayInSydney(at);
      const asked = readPeriod(period);
      const hasBegun = asked !== null && asked.first <= today;
      const { years, funds } = await listReportChoices(database, at);
      const filter = {
        fund: funds.some((known) => known.fund === fund) ? fund : null,
        method: method === "cc" || method === "pp" ? method : null,
      } as const;
      const errors: FieldErrors = {
        ...(period !== "" && !hasBegun && { period: [asked === null ? unknownPeriod : notBegun] }),
        ...(filter.fund === null && fund !== "" && { fund: ["Choose a fund from the list. Shown without it."] }),
        ...(filter.method === null && method !== "" && { method: ["Choose from the list. Shown without it."] }),
      };
      const from = { database, readingDatabase };
      const report = await readDonationReport(from, hasBegun ? asked : yearOf(today), filter, at);
      return { ...report, years, today, fundChoices: funds, filter, errors };
    },
  };
}

const unknownPeriod = "Choose a period from the list. This financial year is shown.";
const notBegun = "This has not begun yet. This financial year is shown.";

export type ShownReport = Awaited<ReturnType<ReturnType<typeof reportReads>["readReport"]>>;
