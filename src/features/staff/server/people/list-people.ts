import { sql } from "kysely";
import type { Role } from "#admin/rights.ts";
import { STAFF_IDLE_MS } from "#admin/staff-sessions.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { listGuarded } from "../log-in-limits.ts";

export type ListedPerson = {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly state: "invited" | "active" | "ended";
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly passkeys: number;
  readonly hasPassword: boolean;
  readonly lastSeenAt: Date | null;
  readonly isLoggedIn: boolean;
  /** Until when browsers that the person has not used before need an emailed code; null without failed attempts. */
  readonly guardedUntil: Date | null;
  /** When the open invitation ends; null without one. */
  readonly invitedUntil: Date | null;
};

type ListServices = CoreServices<"database" | "now", "secretKey">;

/** Everybody who works or worked here: active, then invited, then ended, each by name. */
export async function listPeople({ database, config, now }: ListServices): Promise<ListedPerson[]> {
  const rows = await selectListed(database, now())
    .orderBy(sql`array_position(array['active', 'invited', 'ended'], state)`)
    .orderBy(sql`lower(name)`)
    .orderBy("id")
    .execute();
  const emails = rows.map(({ email }) => email);
  const guarded = await listGuarded(database, config.secretKey, emails, now());
  return rows.map((row) => ({ ...row, guardedUntil: guarded.get(row.email) ?? null }));
}

/** As in the list of staff; also somebody whose account has ended. */
export async function findPerson(services: ListServices, id: number): Promise<ListedPerson | null> {
  return (await listPeople(services)).find((one) => one.id === id) ?? null;
}

/** Sessions that are over are deleted, so a passkey’s last use and the last act say when somebody was last here. */
function selectListed(connection: Connection, now: Date) {
  const seenSince = new Date(now.getTime() - STAFF_IDLE_MS);
  return connection.selectFrom("staff").select([
    "id",
    "name",
    "email",
    "roles",
    "state",
    "created_at as createdAt",
    "ended_at as endedAt",
    sql<number>`(select count(*)::int from staff_passkeys p where p.staff_id = staff.id and blocked_at is null)`.as(
      "passkeys",
    ),
    sql<boolean>`password_hash is not null`.as("hasPassword"),
    sql<Date | null>`greatest(
      (select max(last_seen_at) from staff_sessions s where s.staff_id = staff.id),
      (select max(last_used_at) from staff_passkeys p where p.staff_id = staff.id),
      (select at from audit_trail a where a.staff_id = staff.id order by a.id desc limit 1))`.as("lastSeenAt"),
    sql<boolean>`exists (select from staff_sessions s where s.staff_id = staff.id
      and expires_at > ${now} and last_seen_at > ${seenSince})`.as("isLoggedIn"),
    sql<Date | null>`(select max(expires_at) from staff_invitations i
      where i.staff_id = staff.id and kind <> 'demo' and used_at is null and expires_at > ${now})`.as("invitedUntil"),
  ]);
}

/** The names of people by their ids as texts, for the audit trail. */
export async function listPeopleNames(
  connection: Connection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  if (wanted.length === 0) return new Map();
  const rows = await connection.selectFrom("staff").select(["id", "name"]).where("id", "in", wanted).execute();
  return new Map(rows.map(({ id, name }) => [String(id), name]));
}

/** The ids of the people with this email, or whose name contains the text. */
export async function findPeople(connection: Connection, text: string): Promise<string[]> {
  const rows = await connection
    .selectFrom("staff")
    .select("id")
    .where(sql<boolean>`lower(email) = lower(${text}) or strpos(lower(name), lower(${text})) > 0`)
    .limit(100)
    .execute();
  return rows.map(({ id }) => String(id));
}
