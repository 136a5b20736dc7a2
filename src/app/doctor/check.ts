import type pg from "pg";
import type { Config } from "#shared/config/config.ts";
import type { LookUpTexts } from "#shared/mail/mail-domain.ts";
import type { Machine } from "./machine.ts";

/** PostgreSQL's code. */
export const UNDEFINED_TABLE = "42P01";

/** `note`: good to know. `warn`: look at it this week. `fail`: something does not work, or soon will not. */
export type CheckState = "ok" | "note" | "warn" | "fail";

export type DoctorFinding = {
  readonly state: CheckState;
  /** One sentence, without secrets, and without names of people. */
  readonly says: string;
  /** What to do about it. */
  readonly does?: string;
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
};

export type DoctorContext = {
  /** The names that `.env` sets; empty without one. */
  readonly fileSettings: readonly string[];
  /** The path of `.env`. */
  readonly settingsFile: string;
  /** Null if the settings are not valid. */
  readonly config: Config | null;
  readonly configFault: string;
  /** Null if the database cannot be reached. */
  readonly pool: pg.Pool | null;
  readonly databaseFault: string;
  /** The names of this version's migrations. */
  readonly migrations: readonly string[];
  readonly machine: Machine;
  readonly lookUp?: LookUpTexts;
  /** A certificate to trust besides those that Node knows. */
  readonly trusted?: string;
  readonly now: () => Date;
};

export type Check = {
  /** 'mail.server': its group, and what it looks at. */
  readonly id: string;
  /** What it looks at, for the table in docs/operations.md. */
  readonly about: string;
  /** It asks other machines: left out with `--offline`. */
  readonly isOnline?: true;
  readonly run: (context: DoctorContext) => Promise<DoctorFinding>;
};

export const ok = (says: string, facts?: DoctorFinding["facts"]): DoctorFinding => ({
  state: "ok",
  says,
  ...(facts && { facts }),
});
const finding =
  (state: CheckState) =>
  (says: string, does: string, facts?: DoctorFinding["facts"]): DoctorFinding => ({
    state,
    says,
    does,
    ...(facts && { facts }),
  });
export const note = finding("note");
export const warn = finding("warn");
export const fail = finding("fail");

/** Why a check could not look: what it needs is missing, which another check reports. */
export class NotChecked extends Error {}

/** @throws NotChecked */
export function configOf({ config }: Pick<DoctorContext, "config">): Config {
  if (config === null) throw new NotChecked("Not checked, because the settings are not valid.");
  return config;
}

/** @throws NotChecked */
export function poolOf({ pool }: Pick<DoctorContext, "pool">): pg.Pool {
  if (pool === null) throw new NotChecked("Not checked, because the database cannot be reached.");
  return pool;
}

/** The first row of a query on the database. @throws NotChecked without a database */
export async function readRow<Row extends object | undefined>(
  context: Pick<DoctorContext, "pool">,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await poolOf(context).query(text, values);
  return rows[0] as Row;
}

/** A value of `site_settings`; undefined without one. @throws NotChecked without a database */
export async function readSiteSetting(context: Pick<DoctorContext, "pool">, key: string): Promise<unknown> {
  const row = await readRow<{ value?: unknown } | undefined>(
    context,
    "select value from site_settings where key = $1",
    [key],
  );
  return row?.value;
}

/** `fail` from one limit on, `warn` from a lower one, otherwise null. */
export function judge(value: number, limits: { readonly warn: number; readonly fail: number }): "warn" | "fail" | null {
  return value >= limits.fail ? "fail" : value >= limits.warn ? "warn" : null;
}
