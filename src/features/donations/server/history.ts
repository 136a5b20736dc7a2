import { type Expression, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { heldStates, type PaymentState } from "#payments/states.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import { dayInSydney } from "#shared/sydney.ts";
import {
  bothDatesNeeded,
  type DayRange,
  financialYear,
  type GivingPage,
  type GivingRow,
  type GivingStatus,
  type History,
  type HistoryReads,
  type Place,
  rangeFault,
  tooManyForPaper,
} from "../history.ts";
import { lineTitle, shareRefunds } from "./giving.ts";
import { joinGuestGifts } from "./guest-gifts.ts";
import { findReceipt, formatReceiptNumber, type Receipt } from "./receipt.ts";

/** Rows of a page (PRO-7). */
const ROWS = 10;

/** What a donor is told of a payment; null where it failed, which makes it no donation. */
const statusOf = {
  created: "Processing",
  requires_action: "Processing",
  submitting: "Processing",
  unknown: "Processing",
  processing: "Processing",
  succeeded: "Paid",
  succeeded_late: "Paid",
  disputed: "Paid",
  partially_refunded: "Partly refunded",
  refunded: "Refunded",
  failed: null,
  cancelled: null,
  not_found: null,
} as const satisfies Record<PaymentState, GivingStatus | null>;
const shown = (Object.keys(statusOf) as PaymentState[]).filter((state) => statusOf[state] !== null);

type Wanted = Place & {
  readonly range: DayRange;
  /** A category's title; empty for all. */
  readonly type?: string;
  /** Without it the whole range. */
  readonly limit?: number | undefined;
};

/** Somebody's donations, newest first. Null when the row that the list goes on from is not theirs. */
export async function listGivings(connection: Connection, userId: number, wanted: Wanted): Promise<GivingPage | null> {
  const { after, before, limit } = wanted;
  const edge = after ?? before;
  const meets = edge === undefined ? undefined : await findPlace(connection, userId, edge);
  if (edge !== undefined && meets === undefined) return null;
  const isUpwards = after === undefined && before !== undefined;
  const read = await givingsOf(connection, userId, wanted.range)
    .$if(meets !== undefined, (query) =>
      query.where(
        sql<boolean>`(donations.created_at, donations.id) ${sql.raw(isUpwards ? ">" : "<")} (${meets!.created_at}::timestamptz, ${meets!.id}::uuid)`,
      ),
    )
    .$if(Boolean(wanted.type), (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("donation_lines")
            .select("donation_lines.position")
            .whereRef("donation_lines.donation_id", "=", "donations.id")
            .where("category_title", "=", wanted.type!),
        ),
      ),
    )
    .orderBy("donations.created_at", isUpwards ? "asc" : "desc")
    .orderBy("donations.id", isUpwards ? "asc" : "desc")
    .$if(limit !== undefined, (query) => query.limit(limit! + 1))
    .execute();
  const goesOn = limit !== undefined && read.length > limit;
  const found = goesOn ? read.slice(0, limit) : read;
  if (isUpwards) found.reverse();
  const rows = found.map(presentRow);
  const [first, last] = [rows.at(0)?.reference ?? null, rows.at(-1)?.reference ?? null];
  return {
    rows,
    newer: isUpwards ? (goesOn ? first : null) : after === undefined ? null : first,
    older: isUpwards || goesOn ? last : null,
  };
}

/** By the index alone, row by row from where the list begins, however long it is. */
function givingsOf(connection: Connection, userId: number, { from, to }: DayRange) {
  return connection
    .selectFrom("donations")
    .innerJoinLateral(
      (lateral) =>
        lateral
          .selectFrom("payment_attempts")
          .select(["id", "state", "sent_at"])
          .whereRef("payment_attempts.donation_id", "=", "donations.id")
          .where("state", "in", shown)
          .limit(1)
          .as("attempt"),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom("receipts")
          .select("number")
          .whereRef("receipts.donation_id", "=", "donations.id")
          .where("receipts.is_latest", "=", true)
          .as("receipt"),
      (join) => join.onTrue(),
    )
    .select(["donations.reference", "donations.total_cents", "attempt.state", "attempt.sent_at", "receipt.number"])
    .where("donations.user_id", "=", userId)
    .$if(from !== "", (query) => query.where("donations.created_at", ">=", startOfDay(from, 0)))
    .$if(to !== "", (query) => query.where("donations.created_at", "<", startOfDay(to, 1)));
}

/** When a day begins in Sydney, summer time or not; or the day that many days later. */
function startOfDay(day: string, later: number): Expression<Date> {
  return sql<Date>`(${day}::date + ${later}::integer)::timestamp at time zone 'Australia/Sydney'`;
}

function findPlace(connection: Connection, userId: number, reference: string) {
  return connection
    .selectFrom("donations")
    .select(["created_at", "id"])
    .where("reference", "=", reference)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

type ReadRow = Awaited<ReturnType<ReturnType<typeof givingsOf>["executeTakeFirstOrThrow"]>>;

function presentRow({ reference, number, sent_at, total_cents, state }: ReadRow): GivingRow {
  return {
    reference,
    receiptNumber: number === null ? "" : formatReceiptNumber(number),
    paidOn: dayInSydney(sent_at),
    totalCents: total_cents,
    status: statusOf[state as PaymentState]!,
  };
}

export type PaidGiving = Omit<GivingRow, "status"> & {
  /** What of `totalCents` went back, fees with it. */
  readonly refundedCents: number;
  readonly lines: readonly {
    title: string;
    kind: "gift" | "not_deductible";
    lineCents: number;
    refundedCents: number;
  }[];
};

/** Whether more than `most` donations were paid in a range and not wholly paid back. */
export async function hasMorePaid(
  connection: Connection,
  userId: number,
  { range, most }: { range: DayRange; most: number },
): Promise<boolean> {
  const next = await givingsOf(connection, userId, range)
    .where("attempt.state", "in", heldStates)
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  return next !== undefined;
}

/** What was paid in a range and not wholly paid back, oldest first, with its lines; at most `limit` of it. */
export async function listPaidGivings(
  connection: Connection,
  userId: number,
  { range, limit }: { range: DayRange; limit: number },
): Promise<PaidGiving[]> {
  const rows = await givingsOf(connection, userId, range)
    .where("attempt.state", "in", heldStates)
    .select(({ selectFrom, ref }) => [
      jsonArrayFrom(
        selectFrom("donation_lines")
          .select(["fund", "category_title", "subcategory_title", "receipt_kind", "line_cents"])
          .whereRef("donation_lines.donation_id", "=", "donations.id")
          .orderBy("position"),
      ).as("lines"),
      jsonArrayFrom(
        selectFrom("ledger_entries")
          .select((entries) => ["account", entries.fn.sum<number>("amount_cents").as("cents")])
          .where("attempt_id", "=", ref("attempt.id"))
          .where("refund_id", "is not", null)
          .groupBy("account"),
      ).as("returns"),
    ])
    .orderBy("donations.created_at")
    .orderBy("donations.id")
    .limit(limit)
    .execute();
  return rows.map(({ lines, returns, ...row }) => {
    const { status: _, ...presented } = presentRow(row);
    const shares = shareRefunds(lines, returns);
    return {
      ...presented,
      refundedCents: returns.reduce((sum, { account, cents }) => sum + (isReceivable(account) ? 0 : cents), 0),
      lines: lines.map((line, index) => ({
        title: lineTitle(line),
        kind: line.receipt_kind,
        lineCents: line.line_cents,
        refundedCents: shares[index]!,
      })),
    };
  });
}

/** The provider's side of a ledger transaction. */
const isReceivable = (account: string) => account.startsWith("receivable:");

export type OwnDonation = { readonly donationId: string; readonly receipt: Receipt | undefined };

/** One of a person's own donations, with its latest receipt once one is issued; another's is not told from none. */
export async function findByReference(
  connection: Connection,
  userId: number,
  reference: string,
): Promise<OwnDonation | undefined> {
  const row = await findPlace(connection, userId, reference);
  return row && { donationId: row.id, receipt: await findReceipt(connection, row.id) };
}

/** Brings in what waits for a person whose address is known to be theirs; most often one look at an index. */
export async function takeInGuestGifts(connection: Connection, user: SessionUser): Promise<void> {
  if (user.emailVerifiedAt !== null) await joinGuestGifts(connection, { userId: user.id, email: user.email });
}

/** What the history page reads, from this database and by this clock. */
export function historyReads(database: Database, now: () => Date): HistoryReads {
  return {
    async findHistory(user, { startDate: from = "", endDate: to = "", after, before, paper }): Promise<History | null> {
      const today = dayInSydney(now());
      const range = { from, to };
      const fault = rangeFault(range);
      const lacks = from === "" || to === "" ? bothDatesNeeded : tooManyForPaper;
      const paperFault = paper === undefined || fault !== null ? null : lacks;
      const shared = { range, paperFault, years: [financialYear(today), financialYear(today, -1)] };
      if (fault !== null) return { ...shared, fault, rows: [], newer: null, older: null };
      await takeInGuestGifts(database, user);
      const found = await listGivings(database, user.id, { range, after, before, limit: ROWS });
      return found && { ...shared, fault, ...found };
    },
  };
}
