import { backupChecks } from "./backup-checks.ts";
import { charityChecks } from "./charity-checks.ts";
import {
  type Check,
  type CheckState,
  type DoctorContext,
  type DoctorFinding,
  NotChecked,
  UNDEFINED_TABLE,
} from "./check.ts";
import { databaseChecks } from "./database-checks.ts";
import { fileChecks } from "./file-checks.ts";
import { frontChecks } from "./front-checks.ts";
import { keyCheck } from "./key-check.ts";
import { machineChecks } from "./machine-checks.ts";
import { replicaCheck } from "./replica-check.ts";
import { serviceChecks } from "./service-checks.ts";
import { settingsChecks } from "./settings-checks.ts";

export const checks: readonly Check[] = [
  ...settingsChecks,
  keyCheck,
  ...charityChecks,
  ...machineChecks,
  ...databaseChecks,
  replicaCheck,
  ...serviceChecks,
  ...backupChecks,
  ...fileChecks,
  ...frontChecks,
];

type Result = DoctorFinding & { readonly id: string };

/** The longest that one check may take; they run side by side. */
const TIMEOUT_MS = 5000;

/** Runs checks; one that takes too long or fails itself says so, and holds up no other. */
export function runChecks(wanted: readonly Check[], context: DoctorContext, timeoutMs = TIMEOUT_MS): Promise<Result[]> {
  return Promise.all(
    wanted.map(async ({ id, run }) => {
      const late: DoctorFinding = {
        state: "warn",
        says: `This could not be checked within ${timeoutMs / 1000} seconds.`,
        does: "Try again; if it lasts, something is overloaded.",
      };
      const { promise, resolve } = Promise.withResolvers<DoctorFinding>();
      const timer = setTimeout(() => resolve(late), timeoutMs);
      const found = await Promise.race([run(context).catch(describeFault), promise]);
      clearTimeout(timer);
      return { id, ...found };
    }),
  );
}

const UNDEFINED_COLUMN = "42703";

/** Without the error's own words, which may have a password or a name. */
function describeFault(error: unknown): DoctorFinding {
  if (error instanceof NotChecked) return { state: "note", says: error.message };
  const { code = (error as Error).name } = error as { code?: string };
  if (code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN) {
    return {
      state: "warn",
      says: "Not checked: the database is not of this version.",
      does: "See database.migrations.",
    };
  }
  return { state: "warn", says: `This could not be checked (${code}).`, does: "Try again; if it lasts, report it." };
}

/** 0: nothing above a note. 1: warnings. 2: failures. */
export function exitCodeOf(results: readonly Pick<Result, "state">[]): number {
  const worst = (state: CheckState) => results.some((result) => result.state === state);
  return worst("fail") ? 2 : worst("warn") ? 1 : 0;
}

const words = { ok: "ok  ", note: "note", warn: "warn", fail: "FAIL" } as const satisfies Record<CheckState, string>;

/** A line for each, what is wrong last, and what to do below it. */
export function describeResults(results: readonly Result[]): string {
  const order = ["ok", "note", "warn", "fail"];
  const sorted = results.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  return sorted
    .map(
      ({ id, state, says, does }) =>
        `${words[state]}  ${id.padEnd(22)}  ${says}${does ? `\n${" ".repeat(30)}${does}` : ""}`,
    )
    .join("\n");
}
