import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { ActSubject, RecordedAct } from "./acts.ts";
import "./tables.ts";

/** The most acts that are shown beside one thing; the audit trail has all. */
const MAX_ACTS = 200;

/** Selects acts, without network addresses, which only people who may see the audit trail may see. */
export function selectActs(connection: Connection) {
  return connection
    .selectFrom("audit_trail")
    .select([
      "audit_trail.id",
      "at",
      "actor",
      "verb",
      "subject",
      "subject_id as subjectId",
      "before",
      "after",
      "reason",
    ])
    .$castTo<RecordedAct>();
}

/** What was done to one thing, or to several that belong together, latest first. */
export async function listRecordedActs(
  connection: Connection,
  about: ActSubject | readonly ActSubject[],
): Promise<RecordedAct[]> {
  const subjects = [about].flat() as readonly ActSubject[];
  if (subjects.length === 0) return [];
  return selectActs(connection).where(isOneOf(subjects)).orderBy("audit_trail.id", "desc").limit(MAX_ACTS).execute();
}

/** The condition that an act was done to one of these. */
export function isOneOf(subjects: readonly ActSubject[]) {
  const pairs = subjects.map(({ subject, subjectId }) => sql`(${subject}::text, ${subjectId}::text)`);
  return sql<boolean>`(subject, subject_id) in (${sql.join(pairs)})`;
}

/** What was done to one thing, oldest first, with the values before and after; without who has seen it. */
export async function listChangesOf(connection: Connection, { subject, subjectId }: ActSubject) {
  const rows = await connection
    .selectFrom("audit_trail")
    .select(["id", "at", "actor", "verb", "before", "after", "reason"])
    .where("subject", "=", subject)
    .where("subject_id", "=", subjectId)
    .where("verb", "!=", "faith.see")
    .orderBy("id")
    .execute();
  const read = (values: unknown) => (values ?? {}) as Readonly<Record<string, unknown>>;
  return rows.map(({ before, after, ...row }) => ({ ...row, before: read(before), after: read(after) }));
}
