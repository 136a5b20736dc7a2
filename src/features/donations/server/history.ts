import { type Expression, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { heldStates, type PaymentState } from "#payments/states.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { dayInSydney } from "#shared/language.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import {
  bothDatesNeeded,
  type DayRange,
  financialYear,
  type History,
  type HistoryPlace,
  type HistoryReads,
  type HistoryRow,
  type HistorySlice,
  type HistoryStatus,
  rangeFault,
  tooManyForPdf,
} from "../history.ts";
import { formatReceiptNumber } from "../receipt-number.ts";
import { recordedTitle, shareRefunds } from "./donation-record.ts";
import { isGuests, joinGuestDonations } from "./guest-donations.ts";
import { findReceipt, type Receipt } from "./receipt.ts";

/** Rows per page (PRO-7). */
const ROWS = 10;

/** The status a donor sees; null if the payment failed, so that there is no donation to list. */
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
} as const satisfies Record<PaymentState, HistoryStatus | null>;
const shown = (Object.keys(statusOf) as PaymentState[]).filter((state) => statusOf[state] !== null);

type Wanted = HistoryPlace & {
  readonly range: DayRange;
  /** A category's title; empty for all. */
  readonly type?: string;
  /** The whole range if left out. */
  readonly limit?: number | undefined;
};

/** A person's donations, newest first; null if the row to continue from is not theirs. */
export async function listHistory(
  connection: Connection,
  userId: number,
  wanted: Wanted,
): Promise<HistorySlice | null> {
  const { after, before, limit } = wanted;
  const edge = after ?? before;
  const meets = edge === undefined ? undefined : await findPlace(connection, userId, edge);
  if (edge !== undefined && meets === undefined) return null;
  const isUpwards = after === undefined && before !== undefined;
  const read = await donationsOf(connection, { userId }, wanted.range)
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

/** Whose donations: those of an account, what was given as a guest with an address, or both. */
export type Giver = { readonly userId?: number | undefined; readonly guestEmail?: string };

/**
 * The range is of the days on the receipts, on which the money was charged. Lateral joins, so that a page reads only its
 * own rows, through the index, however long the history is.
 */
function donationsOf(connection: Connection, { userId, guestEmail }: Giver, { from, to }: DayRange) {
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
    .where((where) =>
      where.or([
        ...(userId === undefined ? [] : [where("donations.user_id", "=", userId)]),
        ...(guestEmail === undefined ? [] : [isGuests(guestEmail)]),
      ]),
    )
    .$if(from !== "", (query) =>
      query
        .where("attempt.sent_at", ">=", startOfDay(from, 0))
        // For the index: a bank asks its customer for minutes at most.
        .where("donations.created_at", ">=", startOfDay(from, -1)),
    )
    .$if(to !== "", (query) =>
      query.where("attempt.sent_at", "<", startOfDay(to, 1)).where("donations.created_at", "<", startOfDay(to, 1)),
    );
}

/** When the day `later` days after `day` begins in Sydney, with or without daylight saving. */
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

type ReadRow = Awaited<ReturnType<ReturnType<typeof donationsOf>["executeTakeFirstOrThrow"]>>;

function presentRow({ reference, number, sent_at, total_cents, state }: ReadRow): HistoryRow {
  return {
    reference,
    receiptNumber: number === null ? "" : formatReceiptNumber(number),
    paidOn: dayInSydney(sent_at),
    totalCents: total_cents,
    status: statusOf[state as PaymentState]!,
  };
}

export type SummaryDonation = Omit<HistoryRow, "status"> & {
  /** The part of `totalCents` that was refunded, including fees. */
  readonly refundedCents: number;
  readonly lines: readonly {
    fund: string;
    title: string;
    kind: "gift" | "not_deductible";
    lineCents: number;
    refundedCents: number;
  }[];
};

/** Whether a range has more than `limit` paid donations that are not fully refunded. */
export async function hasMorePaid(
  connection: Connection,
  giver: Giver,
  { range, limit }: { range: DayRange; limit: number },
): Promise<boolean> {
  const next = await donationsOf(connection, giver, range)
    .where("attempt.state", "in", heldStates)
    .offset(limit)
    .limit(1)
    .executeTakeFirst();
  return next !== undefined;
}

/** The paid donations of a range that are not fully refunded, with their lines, oldest first; at most `limit`. */
export async function listSummaryDonations(
  connection: Connection,
  giver: Giver,
  { range, limit }: { range: DayRange; limit: number },
): Promise<SummaryDonation[]> {
  const rows = await donationsOf(connection, giver, range)
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
        fund: line.fund,
        title: recordedTitle(line),
        kind: line.receipt_kind,
        lineCents: line.line_cents,
        refundedCents: shares[index]!,
      })),
    };
  });
}

/** The provider's side of a ledger transaction. */
const isReceivable = (account: string) => account.startsWith("receivable:");

type OwnDonation = { readonly donationId: string; readonly receipt: Receipt | undefined };

/** One of a person's own donations with its latest receipt; undefined if there is none or it is someone else's. */
export async function findByReference(
  connection: Connection,
  userId: number,
  reference: string,
): Promise<OwnDonation | undefined> {
  const row = await findPlace(connection, userId, reference);
  return row && { donationId: row.id, receipt: await findReceipt(connection, row.id) };
}

/** Adds a person's guest donations to their account if their address is confirmed. Usually one index lookup. */
export async function claimGuestDonations(connection: Connection, user: SessionUser): Promise<void> {
  if (user.emailVerifiedAt !== null) await joinGuestDonations(connection, { userId: user.id, email: user.email });
}

export function historyReads(database: Database, now: () => Date): HistoryReads {
  return {
    async findHistory(user, { startDate: from = "", endDate: to = "", after, before, pdf }): Promise<History | null> {
      const today = dayInSydney(now());
      const range = { from, to };
      const fault = rangeFault(range);
      const lacks = from === "" || to === "" ? bothDatesNeeded : tooManyForPdf;
      const pdfFault = pdf === undefined || fault !== null ? null : lacks;
      const shared = { range, pdfFault, years: [financialYear(today), financialYear(today, -1)] };
      if (fault !== null) return { ...shared, fault, rows: [], newer: null, older: null };
      await claimGuestDonations(database, user);
      const found = await listHistory(database, user.id, { range, after, before, limit: ROWS });
      return found && { ...shared, fault, ...found };
    },
  };
}
