import type { Config } from "#shared/config/config.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import type { PaymentsContext } from "../context.ts";

export type ReconciliationContext = Pick<
  PaymentsContext,
  "database" | "processId" | "providers" | "subject" | "settings" | "now" | "log"
> & {
  readonly jobs: Jobs;
  readonly reconciliation: Config["reconciliation"];
  /** Whether PayPal is offered. If not, its books are still read while it has recent payments. */
  readonly hasPaypal: boolean;
  /** Payments are off, so there is nothing to compare. */
  readonly isOff?: boolean;
};
