import { sql } from "kysely";
import type { ProviderName } from "#payments/tables.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { ReadingDatabase } from "#shared/database/reading-database.ts";
import { addDays, dayInSydney } from "#shared/language.ts";
import { monthsOf, type Period, yearBefore, yearOf } from "../periods.ts";
import { countNewEntries } from "./book-days.ts";
import { type DonorCounts, MAX_COUNTED_LIVE, readDonorCounts } from "./donor-counts.ts";

/** `cents` are positive: given, or refunded. */
type Moved = { readonly gifts: number; readonly givenCents: number; readonly refundedCents: number };
/** One row: a month of a year, or a day of a month. */
export type ReportStep = Moved & {
  readonly first: string;
  readonly last: string;
  readonly feeCents: number;
  /** The same part of the year before. */
  readonly beforeSoFarCents: number;
  readonly donors: DonorCounts | null;
};
export type FundSums = Moved & { readonly fund: string; readonly title: string };
type FeeSums = Omit<Moved, "gifts">;
type MethodSums = Moved & { readonly method: ReportMethod };

type Report = {
  readonly period: Period;
  /** The last day that has begun. */
  readonly until: string;
  readonly isOver: boolean;
  readonly steps: readonly ReportStep[];
  /** The whole year before. */
  readonly beforeSteps: readonly { readonly first: string; readonly cents: number }[];
  readonly total: Omit<ReportStep, "first" | "last">;
  readonly funds: readonly FundSums[];
  readonly methods: readonly MethodSums[];
  readonly fees: { readonly admin: FeeSums; readonly merchant: FeeSums };
  /** False while new entries of the ledger are being counted. */
  readonly isWhole: boolean;
  /** The report has everything until then; null if it has everything. */
  readonly asOf: Date | null;
};

type ReportMethod = "cc" | "pp";
const methodOf: Readonly<Record<ProviderName, ReportMethod>> = { payway: "cc", braintree: "pp" };
export type ReportFilter = { readonly fund: string | null; readonly method: ReportMethod | null };

type Row = {
  step: string;
  account: string;
  provider: ProviderName;
  is_refund: boolean;
  movements: number;
  cents: number;
};

/** Reads a month by days, or a financial year by months, and the year before. */
export async function readDonationReport(
  { database, readingDatabase }: { readonly database: Database; readonly readingDatabase: ReadingDatabase },
  ...asked: [period: Period, filter: ReportFilter, now: Date]
): Promise<Report> {
  const isWhole = await countNewEntries(database);
  const { result, asOf } = await readingDatabase.read((from) => readFigures(from, ...asked));
  return { ...result, isWhole, asOf };
}

async function readFigures(
  database: Connection,
  period: Period,
  filter: ReportFilter,
  now: Date,
): Promise<Omit<Report, "isWhole" | "asOf">> {
  const today = dayInSydney(now);
  const isOver = period.last < today;
  const until = isOver ? period.last : today;
  const before = yearBefore(period);
  const untilBefore = isOver ? before.last : inYear(until, -1);
  const [rows, beforeRows, soFarRows, titles] = await Promise.all([
    sumSteps(database, period, { first: period.first, last: until }),
    sumSteps(database, period, before),
    sumSteps(database, period, { first: before.first, last: untilBefore }),
    readTitles(database),
  ]);
  const counted = rows.filter(isShown(filter));
  const ofAllFunds = rows.filter(isShown({ ...filter, fund: null }));
  const steps = listSteps(period, until).map((step) => {
    const key = keyOf(period, step.first);
    return {
      ...step,
      ...sumUp(
        counted.filter((row) => row.step === key),
        filter,
      ),
      beforeSoFarCents: given(soFarRows.filter((row) => inYear(row.step, 1) === key).filter(isShown(filter)), filter),
    };
  });
  const whole = sumUp(counted, filter);
  const donors = await readDonors(database, period, { filter, gifts: whole.gifts, now });
  return {
    period,
    until,
    isOver,
    beforeSteps: listSteps(before, before.last).map(({ first }) => ({
      first,
      cents: given(beforeRows.filter((row) => row.step === keyOf(period, first)).filter(isShown(filter)), filter),
    })),
    steps: steps.map((step) => ({ ...step, donors: donors.get(keyOf(period, step.first)) ?? null })),
    total: {
      ...whole,
      beforeSoFarCents: given(soFarRows.filter(isShown(filter)), filter),
      donors: donors.get(period.key) ?? null,
    },
    funds: sumFunds(ofAllFunds, titles),
    methods: sumMethods(rows, filter.fund),
    fees: { admin: sumFee(ofAllFunds, "admin"), merchant: sumFee(ofAllFunds, "merchant") },
  };
}

/** The same month or day of the next year or the one before, neither of which has a 29th of February if this one has. */
function inYear(step: string, yearsAway: 1 | -1): string {
  const same = `${Number(step.slice(0, 4)) + yearsAway}${step.slice(4)}`;
  return same.replace(/-02-29$/, "-02-28");
}

const keyOf = ({ kind }: Period, day: string) => (kind === "year" ? day.slice(0, 7) : day);

function listSteps(period: Period, until: string): { first: string; last: string }[] {
  const steps =
    period.kind === "year"
      ? monthsOf(period).map(({ first, last }) => ({ first, last: last < until ? last : until }))
      : listDays(period);
  return steps.filter(({ first }) => first <= until);
}

function listDays({ first, last }: Period) {
  const days: { first: string; last: string }[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push({ first: day, last: day });
  return days;
}

async function sumSteps(connection: Connection, { kind }: Period, days: { first: string; last: string }) {
  const step = kind === "year" ? sql`to_char(day, 'YYYY-MM')` : sql`to_char(day, 'YYYY-MM-DD')`;
  const { rows } = await sql<Row>`
    select ${step} as step, account, provider, is_refund, sum(movements)::integer as movements,
           sum(amount_cents)::bigint as cents
      from book_days
     where day >= ${days.first} and day <= ${days.last} and subject = 'donation'
     group by 1, 2, 3, 4`.execute(connection);
  return rows;
}

async function readTitles(connection: Connection): Promise<Map<string, string>> {
  const rows = await connection
    .selectFrom("donation_categories")
    .select(["fund", "title"])
    .orderBy("position")
    .execute();
  return new Map(rows.map(({ fund, title }) => [fund, title]));
}

const isReceivable = ({ account }: Row) => account.startsWith("receivable:");
const isFund = ({ account }: Row) => account.startsWith("donations:");
const sum = (rows: readonly Row[]) => rows.reduce((cents, row) => cents + row.cents, 0);
const movementsOf = (rows: readonly Row[]) => rows.reduce((count, row) => count + row.movements, 0);

const isShown =
  ({ fund, method }: ReportFilter) =>
  (row: Row): boolean =>
    (method === null || methodOf[row.provider] === method) && (fund === null || row.account === `donations:${fund}`);

/** Selects the rows for what was given: what the provider owes us or, for one fund, what the fund was credited. */
const sideOf = ({ fund }: Pick<ReportFilter, "fund">) => (fund === null ? isReceivable : isFund);

function sumUp(rows: readonly Row[], filter: ReportFilter): Moved & { feeCents: number } {
  const side = rows.filter(sideOf(filter));
  const sign = filter.fund === null ? 1 : -1;
  const made = side.filter(({ is_refund }) => !is_refund);
  return {
    gifts: movementsOf(made),
    givenCents: zero(sign * sum(made)),
    refundedCents: zero(-sign * sum(side.filter(({ is_refund }) => is_refund))),
    feeCents: sumFee(rows, "admin").givenCents + sumFee(rows, "merchant").givenCents,
  };
}

function sumFee(rows: readonly Row[], which: "admin" | "merchant"): FeeSums {
  const fees = rows.filter(({ account }) => account === `fees:${which}`);
  return {
    givenCents: zero(-sum(fees.filter(({ is_refund }) => !is_refund))),
    refundedCents: sum(fees.filter(({ is_refund }) => is_refund)),
  };
}

/** Turns -0 into 0. */
const zero = (cents: number) => (cents === 0 ? 0 : cents);

const given = (rows: readonly Row[], filter: ReportFilter) => sumUp(rows, filter).givenCents;

function sumFunds(rows: readonly Row[], titles: ReadonlyMap<string, string>): FundSums[] {
  const byAccount = Map.groupBy(rows.filter(isFund), ({ account }) => account);
  return [...byAccount]
    .map(([account, ofFund]) => {
      const fund = account.slice("donations:".length);
      return { fund, title: titles.get(fund) ?? fund, ...sumUp(ofFund, { fund, method: null }) };
    })
    .sort((one, other) => other.givenCents - one.givenCents);
}

function sumMethods(rows: readonly Row[], fund: string | null): MethodSums[] {
  return (["cc", "pp"] as const).map((method) => ({
    method,
    ...sumUp(rows.filter(isShown({ fund, method })), { fund, method }),
  }));
}

/** Donors are counted only without a filter. */
async function readDonors(
  connection: Connection,
  period: Period,
  { filter, gifts, now }: { filter: ReportFilter; gifts: number; now: Date },
) {
  if (filter.fund !== null || filter.method !== null) return new Map<string, DonorCounts>();
  const months = period.kind === "year" ? monthsOf(period).filter(({ first }) => first <= dayInSydney(now)) : [];
  return readDonorCounts(connection, [period, ...months], { isLive: gifts <= MAX_COUNTED_LIVE, now });
}

/** The financial years with gifts, the newest first, and the funds by their titles. */
export async function listReportChoices(connection: Connection, now: Date) {
  const [{ first }, titles] = await Promise.all([
    connection
      .selectFrom("book_days")
      .select(({ fn }) => fn.min("day").as("first"))
      .executeTakeFirstOrThrow(),
    readTitles(connection),
  ]);
  const years: Period[] = [];
  const today = dayInSydney(now);
  for (let year = yearOf(today); years.length === 0 || year.last >= (first ?? today); ) {
    years.push(year);
    year = yearBefore(year);
  }
  return { years, funds: [...titles].map(([fund, title]) => ({ fund, title })) };
}
