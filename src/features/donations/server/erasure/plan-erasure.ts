import { sql } from "kysely";
import { listUndecided, planPayments } from "#payments/retention.ts";
import type { Connection } from "#shared/database/connect.ts";
import { formatKeptUntil, plural } from "#shared/language.ts";
import { columns, type ErasurePlan, isOf, type KeptData, type Person } from "#shared/retention/retention.ts";
import { isOver } from "./is-over.ts";

type Planned = {
  readonly id: string;
  readonly reference: string;
  /** Its payment is decided, and its receipt issued. */
  readonly isOver: boolean;
  readonly isErased: boolean;
};

/** What erasing a person does to their donations. */
export async function planErasure(connection: Connection, person: Person): Promise<ErasurePlan | null> {
  const { rows } = await sql<Planned>`
    select id, reference, ${isOver} as "isOver", email = '' as "isErased"
      from donations where ${isOf(person)} order by created_at, id`.execute(connection);
  if (rows.length === 0) return null;
  const ids = rows.map(({ id }) => id);
  const later = rows.filter(({ isErased, isOver: over }) => !isErased && !over);
  const now = rows.filter((row) => !row.isErased && row.isOver);
  const keeps = [
    ...(await planReceipts(connection, ids)),
    ...(await planNames(connection, ids)),
    ...(later.length === 0 ? [] : [describeLater(later.length)]),
    ...(await planPayments(connection, "donation_id", ids)),
    {
      what: "What was given, when and for what, on our books",
      until: "for good",
      why: "The books must stay complete.",
      columns: [],
    },
  ];
  const purchases = rows.map(({ id, reference }) => ({
    id,
    name: `donation ${reference}`,
    path: `/admin/donations/${id}`,
  }));
  const obstacles = await listUndecided(connection, "donation_id", purchases);
  return { title: "Donations", erases: describeGoing(now.length), keeps, obstacles };
}

function describeGoing(count: number): string[] {
  if (count === 0) return [];
  const details = plural(count, {
    one: "Name, email address and post code of their donation",
    other: `Name, email address and post code of their ${count} donations`,
  });
  return [details, "The emailed links to their receipts", "What staff wrote about refunds, if anything"];
}

const describeLater = (count: number): KeptData => ({
  what: plural(count, {
    one: "Name, email address and post code of a donation whose payment is not over",
    other: `Name, email address and post code of ${count} donations whose payments are not over`,
  }),
  until: "until it is decided; then they are erased automatically",
  why: "The bank may still charge, return or dispute the payment, and the receipt needs a name.",
  columns: [
    ...columns("donations", "first_name", "last_name", "email", "postcode", "search_text", "repeat_digest"),
    ...columns("refunds", "reason"),
    ...columns("refund_requests", "reason", "decision_reason"),
    ...columns("refunds_by_hand", "note"),
  ],
});

async function planReceipts(connection: Connection, ids: readonly string[]): Promise<KeptData[]> {
  const { count, latest } = await connection
    .selectFrom("receipts")
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.max("issued_at").as("latest")])
    .where("donation_id", "in", ids)
    .where("erased_at", "is", null)
    .executeTakeFirstOrThrow();
  if (count === 0) return [];
  const what = plural(count, {
    one: "Their receipt, with the names on it",
    other: `Their ${count} receipts, with the names on them`,
  });
  const until = formatKeptUntil(latest as Date, { years: 7 });
  const why = "Tax law and the ACNC Act require a charity to keep receipts: for seven years after they were issued.";
  return [{ what, until, why, columns: columns("receipts", "data") }];
}

async function planNames(connection: Connection, ids: readonly string[]): Promise<KeptData[]> {
  const { rows } = await sql<{ latest: Date | null }>`
    select max(created_at) as latest from donations join donation_lines on donation_id = donations.id
     where donations.id = any(${ids}::uuid[]) and on_behalf_of <> '{}'`.execute(connection);
  const latest = rows[0]!.latest;
  if (latest === null) return [];
  return [
    {
      what: "The names that a gift was given on behalf of",
      until: formatKeptUntil(latest, { years: 1 }),
      why: "The gift is carried out in these names.",
      columns: columns("donation_lines", "on_behalf_of"),
    },
  ];
}
