import { type RawBuilder, sql } from "kysely";
import { eraseUnpaid, unpaidStates } from "#payments/retention.ts";
import type { Connection } from "#shared/database/connect.ts";
import { columns, type Due, eraseAll, eraseBy, type Holdings, isOf, type Person } from "#shared/retention/retention.ts";
import { exportDonations } from "./donation-export.ts";
import { isOver } from "./erasure/is-over.ts";
import { planErasure } from "./erasure/plan-erasure.ts";

const ERASED_NAME = "Name erased after seven years";

/** Erases the donors of the donations that `due` selects, and the staff's notes on their refunds. */
export async function eraseDonors(transaction: Connection, due: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with due as (${due}), reasons as (
      update refunds set reason = '' from payment_attempts attempt join due on due.id = attempt.donation_id
       where refunds.attempt_id = attempt.id and requested_by = 'staff' and reason <> ''
    ), requests as (
      update refund_requests set reason = '', decision_reason = '' from due
       where donation_id = due.id and (reason <> '' or decision_reason <> '')
    ), notes as (
      update refunds_by_hand set note = '' from refunds, payment_attempts attempt join due on due.id = attempt.donation_id
       where refund_id = refunds.id and refunds.attempt_id = attempt.id and note <> ''
    ), donors as (
      update donations set first_name = '', last_name = '', email = '', postcode = null, repeat_digest = null
        from due where donations.id = due.id
    )
    select count(*) from due`.execute(transaction);
  return rows[0]!.count;
}

const eraseClosed = (transaction: Connection, { limit }: Pick<Due, "limit">) =>
  eraseDonors(
    transaction,
    sql`select id from donations where account_closed_at is not null and email <> '' and ${isOver}
         order by account_closed_at limit ${limit} for update skip locked`,
  );

const eraseOld = (transaction: Connection, { now, limit }: Due) =>
  eraseDonors(
    transaction,
    sql`select id from donations where email <> '' and created_at < ${now}::timestamptz - interval '7 years' and ${isOver}
         order by created_at limit ${limit} for update skip locked`,
  );

async function eraseUnpaidDonors(transaction: Connection, due: Due): Promise<number> {
  const ids = await eraseUnpaid(transaction, due, "donation_id");
  // Only donations without a payment that took money.
  await eraseDonors(
    transaction,
    sql`select id from donations where id = any(${ids}::uuid[]) and email <> '' and not exists (
          select from payment_attempts where donation_id = donations.id and state not in ${unpaidStates}) for update`,
  );
  return ids.length;
}

const eraseOnBehalfOf = eraseBy(
  ({ now, limit }) => sql`
    update donation_lines set on_behalf_of = '{}' where (donation_id, position) in (
      select donation_id, position from donation_lines join donations on donations.id = donation_id
       where on_behalf_of <> '{}' and created_at < ${now}::timestamptz - interval '1 year'
       limit ${limit} for update of donation_lines skip locked)`,
);

const eraseNamesOfReceipts = eraseBy(
  ({ now, limit }) => sql`
    update receipts set erased_at = ${now}, data = data || jsonb_build_object(
        'donorName', case when jsonb_typeof(data -> 'donorName') = 'string' then ${ERASED_NAME}::text end,
        'lines', (select coalesce(jsonb_agg(line || '{"onBehalfOf": []}' order by place), '[]')
                    from jsonb_array_elements(data -> 'lines') with ordinality as t (line, place)))
     where number in (
      select number from receipts where erased_at is null and issued_at < ${now}::timestamptz - interval '7 years'
       order by issued_at limit ${limit} for update skip locked)`,
);

const eraseDigests = eraseBy(
  ({ now, limit }) => sql`
    update donations set repeat_digest = null where id in (
      select id from donations where repeat_digest is not null and created_at < ${now}::timestamptz - interval '1 day'
       order by created_at limit ${limit} for update skip locked)`,
);

/**
 * Receipts stay, as the law requires; the donations lose their personal details. Those that staff erase also leave
 * whatever account they were in.
 */
async function release(transaction: Connection, person: Person, now: Date): Promise<void> {
  const { askedBy } = person;
  const isHere = isOf(person);
  // Locked in the order of `eraseDonor`, so that the two wait for each other.
  await transaction.selectFrom("donations").select("id").where(isHere).orderBy("id").forNoKeyUpdate().execute();
  await transaction
    .updateTable("donations")
    .set({ account_closed_at: now, ...(askedBy === "staff" && { user_id: null, stays_out_of_account: true }) })
    .where(isHere)
    .execute();
  await eraseAll((limit) => eraseClosed(transaction, { limit }));
}

/** What staff write to each other before and after a refund. The refund's own reason is exported. */
const notesOnRefunds = [
  ...columns("refund_requests", "reason", "decision_reason"),
  ...columns("refunds_by_hand", "note"),
];

export const donationHoldings: Holdings = {
  rules: [
    {
      name: "donors",
      where: "Donation",
      what: "Name (unless you give anonymously), email, post code, what you give to and how much; for one day, a code to notice the same donation made twice",
      why: "To take the payment, send the receipt and answer you. A charity must keep records of what it receives for seven years (ACNC Act).",
      kept: "Seven years after the donation. If you close your account: until the payment is decided and its receipt is issued.",
      afterwards: "Then name, email and post code are erased. What was given, when and for what stays on our books.",
      columns: [
        ...columns("donations", "first_name", "last_name", "email", "postcode", "user_id", "repeat_digest"),
        // A copy of name and email for searches, which is emptied with them.
        ...columns("donations", "search_text"),
        ...columns("refunds", "reason"),
        ...notesOnRefunds,
      ],
      erase: async (transaction, due) =>
        (await eraseClosed(transaction, due)) +
        (await eraseOld(transaction, due)) +
        (await eraseDigests(transaction, due)),
    },
    {
      name: "unpaid donations",
      where: "Donation that was not paid",
      what: "The same, and the internet address of the payment",
      why: "To find out whether the payment arrived after all, and to answer you.",
      kept: "90 days after you sent it. If you close your account: until we know that nothing was charged.",
      afterwards: "Then they are erased.",
      columns: columns("donations", "first_name", "last_name", "email", "postcode"),
      erase: eraseUnpaidDonors,
    },
    {
      name: "names on gifts",
      where: "Names added to a gift",
      what: "The names that a Qurban is offered for",
      why: "To carry out the gift as you asked.",
      kept: "One year after the donation, even if you close your account.",
      afterwards: "Then they are erased, except on the receipt.",
      columns: columns("donation_lines", "on_behalf_of"),
      erase: eraseOnBehalfOf,
    },
    {
      name: "receipts",
      where: "Receipt",
      what: "Your name, and names that you added to a gift, as shown on the receipt",
      why: "The law requires these documents: for seven years as a charity (ACNC Act), for five for tax.",
      kept: "Seven years after it was issued, even if you close your account.",
      afterwards: "Then the names are erased. Number, amounts and days stay.",
      columns: columns("receipts", "data"),
      erase: eraseNamesOfReceipts,
    },
  ],
  notPersonal: [
    ...columns("donations", "reference", "method", "currency"),
    ...columns("donation_funds", "fund"),
    ...columns("donation_days", "fund", "method", "state"),
    ...columns("donation_lines", "fund", "category_title", "subcategory_title", "receipt_kind"),
    ...columns("donation_categories", "fund", "title", "receipt_kind", "description", "suggested_cents"),
    ...columns("donation_subcategories", "title"),
    ...columns("refund_requests", "decision"),
  ],
  // The account's own number, a keyed digest that is kept for a day, the copy of name and email for searches, and what
  // staff wrote to each other.
  notExported: [...columns("donations", "user_id", "repeat_digest", "search_text"), ...notesOnRefunds],
  exportedToStaff: notesOnRefunds,
  exportOf: async (connection, person) => ({ donations: await exportDonations(connection, person) }),
  listSubjects: async (connection, person) => {
    const donations = await connection.selectFrom("donations").select("id").where(isOf(person)).execute();
    return donations.map(({ id }) => ({
      subject: "donation",
      subjectId: id,
      document: { kind: "receipt" as const, id },
    }));
  },
  planErasure,
  release,
};
