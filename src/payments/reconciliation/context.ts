import type { Config } from "#shared/config.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import type { PaymentsContext } from "../context.ts";

export type ReconciliationContext = Pick<
  PaymentsContext,
  "database" | "providers" | "subject" | "settings" | "now" | "log"
> & {
  readonly jobs: Jobs;
  readonly reconciliation: Config["reconciliation"];
  /** Whether PayPal is offered; when it no longer is, its books are read as long as it has payments of the last days. */
  readonly hasPaypal: boolean;
};
