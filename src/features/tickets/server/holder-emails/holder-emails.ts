import { randomUUID } from "node:crypto";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { StaffActor } from "#admin/two-people.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { doEach } from "#shared/jobs/do-each.ts";
import { admissions } from "../door/door-figures.ts";

/** In which an email can be stopped. */
const STOP_MS = 600_000;

export type HolderEmailKind = Tables["holder_emails"]["kind"];
type HolderEmailRow = Selectable<Tables["holder_emails"]>;
export type HolderEmailServices = CoreServices<"database" | "jobs" | "now">;

/** What staff write. */
export type HolderEmailWords = {
  readonly kind: HolderEmailKind;
  readonly subject: string;
  /** Paragraphs, with an empty line between them. */
  readonly body: string;
  readonly onlyCame: boolean;
};

/** One order with valid tickets for each email address, the first. With `onlyCame`, of those of which somebody came in. */
const ordersToTell = (eventId: number, onlyCame: boolean | RawBuilder<boolean>) => sql<{ id: string }>`
  select distinct on (lower(email)) id from ticket_orders
   where event_id = ${eventId} and state = 'paid' and email <> ''
     and (not ${onlyCame} or exists (
       select from (${admissions(eventId)}) as scans join tickets on tickets.id = scans.ticket_id
        where tickets.order_id = ticket_orders.id))
   order by lower(email), paid_at, id`;

/** How many people an email would go to now: everybody with a valid ticket, and those who came. */
export async function countHolders(connection: Connection, eventId: number): Promise<{ all: number; came: number }> {
  const count = (onlyCame: boolean) =>
    sql`(select count(*)::integer from (${ordersToTell(eventId, onlyCame)}) as told)`;
  const { rows } = await sql<{ all: number; came: number }>`
    select ${count(false)} as "all", ${count(true)} as came`.execute(connection);
  return rows[0]!;
}

type Writing = HolderEmailWords & { readonly id: string; readonly event: Pick<EventOfScreen, "id" | "screenId"> };

/**
 * Keeps an email, which goes out ten minutes later. The same form sent twice is one email, unless that was stopped in
 * between. Returns when it goes. @throws Refusal if the form was sent with other words, which still wait to go out
 */
export function writeHolderEmail(
  { database, now }: HolderEmailServices,
  { id, event, kind, subject, body, onlyCame }: Writing,
  actor: StaffActor,
): Promise<Date> {
  return database.transaction().execute(async (transaction) => {
    const at = now();
    const goesAt = new Date(at.getTime() + STOP_MS);
    await sql`select pg_advisory_xact_lock(hashtext(${id}))`.execute(transaction);
    const earlier = await findHolderEmail(transaction, id);
    if (earlier !== undefined && earlier.stopped_at === null) {
      const isSame = earlier.subject === subject && earlier.body === body && earlier.only_came === onlyCame;
      if (isSame) return earlier.goes_at;
      if (earlier.sent_at === null)
        throw new Refusal("What you sent before still waits to go out. Stop it below, and then send this.");
    }
    await transaction
      .insertInto("holder_emails")
      .values({
        id: earlier === undefined ? id : randomUUID(),
        event_id: event.id,
        kind,
        subject,
        body,
        only_came: onlyCame,
        written_by: actor.staff.id,
        written_at: at,
        goes_at: goesAt,
      })
      .execute();
    const act = { verb: "events.email_holders", subject: "events", subjectId: String(event.screenId) };
    await recordAct(transaction, actor, { ...act, after: { emailSubject: subject } }, at);
    return goesAt;
  });
}

/** @throws Refusal once it has gone out or was stopped */
export function stopHolderEmail(
  { database, now }: HolderEmailServices,
  { id, event }: Pick<Writing, "id" | "event">,
  actor: StaffActor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const at = now();
    const stopped = await transaction
      .updateTable("holder_emails")
      .set({ stopped_at: at, stopped_by: actor.staff.id })
      .where("id", "=", id)
      .where("event_id", "=", event.id)
      .where("sent_at", "is", null)
      .where("stopped_at", "is", null)
      .returning("subject")
      .executeTakeFirst();
    if (stopped === undefined) throw new Refusal("It has gone out already, or somebody has stopped it.");
    const act = { verb: "events.stop_holder_email", subject: "events", subjectId: String(event.screenId) };
    await recordAct(transaction, actor, { ...act, after: { emailSubject: stopped.subject } }, at);
  });
}

/** Hands over what is due: each email once, however many processes do it and whenever they are killed. */
export async function sendDueHolderEmails({ database, jobs, now }: HolderEmailServices): Promise<void> {
  const at = now();
  const due = await selectDue(database, at).select("id").orderBy("goes_at").execute();
  await doEach(due, ({ id }) => handOver(database, { jobs, id, at }));
}

const selectDue = (connection: Connection, at: Date) =>
  connection
    .selectFrom("holder_emails")
    .where("sent_at", "is", null)
    .where("stopped_at", "is", null)
    .where("goes_at", "<=", at);

function handOver(database: Database, { jobs, id, at }: { jobs: HolderEmailServices["jobs"]; id: string; at: Date }) {
  return database.transaction().execute(async (transaction) => {
    // Another process may have it, or somebody may have stopped it in the meantime.
    const due = await selectDue(transaction, at)
      .select(["event_id", "only_came"])
      .where("id", "=", id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (due === undefined) return;
    const { rows } = await ordersToTell(due.event_id, due.only_came).execute(transaction);
    const emails = rows.map(({ id: orderId }) => ({ template: "holder-email" as const, orderId, emailId: id }));
    await jobs.sendAll(transaction, "emails", emails);
    await transaction
      .updateTable("holder_emails")
      .set({ sent_at: at, people: emails.length })
      .where("id", "=", id)
      .execute();
  });
}

export function findHolderEmail(connection: Connection, id: string): Promise<HolderEmailRow | undefined> {
  return connection.selectFrom("holder_emails").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The emails of an event, the latest first, with the names of those who wrote and stopped them. */
export function listHolderEmails(connection: Connection, eventId: number) {
  return connection
    .selectFrom("holder_emails")
    .innerJoin("staff as writer", "writer.id", "written_by")
    .leftJoin("staff as stopper", "stopper.id", "stopped_by")
    .selectAll("holder_emails")
    .select(["writer.name as writtenBy", "stopper.name as stoppedBy"])
    .where("event_id", "=", eventId)
    .orderBy("written_at", "desc")
    .orderBy("holder_emails.id")
    .execute();
}
