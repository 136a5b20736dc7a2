import type { FastifyBaseLogger } from "fastify";
import type { AdminPart } from "#admin/feature.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import type { Payments } from "#payments/payments.ts";
import type { Providers } from "#payments/provider.ts";
import type { Reconciliation } from "#payments/reconciliation/reconciliation.ts";
import type { Subject } from "#payments/subject.ts";
import type { ReadingDatabase } from "#shared/database/reading-database.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import type { Reversals } from "../server/reversals.ts";
import type { TakenInDonations } from "../server/take-in.ts";
import { accountsPart } from "./accounts-part.ts";
import { auditPart } from "./audit-part.ts";
import { cardGuardPart } from "./card-guard-part.ts";
import { failedJobsPart } from "./failed-jobs-part.ts";
import { journalPart } from "./journal-part.ts";
import { reconciliationPart } from "./reconciliation-part.ts";
import { reportsPart } from "./reports-part.ts";

export type BookkeepingServices = CoreServices<"database" | "jobs" | "now"> & {
  readonly readingDatabase: ReadingDatabase;
  readonly log: FastifyBaseLogger;
  readonly providers: Providers;
  readonly subject: Subject;
  readonly takenIn: TakenInDonations;
  readonly reversals: Reversals;
  readonly payments: Payments;
  readonly reconciliation: Reconciliation;
  readonly staffSessions: StaffSessions;
};

/** What bookkeeping adds to the back office’s server. */
export function bookkeepingAdmin(services: BookkeepingServices): readonly AdminPart[] {
  return [
    reconciliationPart(services),
    cardGuardPart(services),
    failedJobsPart(services),
    reportsPart(services),
    journalPart(services),
    accountsPart(services),
    auditPart(services),
  ];
}
