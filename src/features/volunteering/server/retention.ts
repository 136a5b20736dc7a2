import { type RawBuilder, sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Files } from "#shared/database/stored-file.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { deletePrivateFiles, findPrivateFile } from "#shared/images/private-files.ts";
import { formatKeptUntil } from "#shared/language.ts";
import {
  columns,
  type Due,
  type ErasurePlan,
  eraseBy,
  type Holdings,
  isOf,
  type Person,
  type RetentionRule,
} from "#shared/retention/retention.ts";
import { type Stage, stageEventOf } from "../stages.ts";
import { findCheck } from "./checks.ts";
import { listApplicationEvents } from "./events.ts";
import { carryOut, deleteFiles } from "./pipeline.ts";
import { type ApplicationRow, applicationOf, type VolunteerServices } from "./store.ts";

/** Deletes photo and signature of applications declined or withdrawn at least `days` days ago. Returns how many. */
export async function deleteOldFiles(transaction: Connection, { now, limit }: Due, days: number): Promise<number> {
  const old = await transaction
    .selectFrom("volunteer_applications")
    .select(["id", "photo_file_id", "signature_file_id"])
    .where("stage", "in", ["declined", "withdrawn"])
    .where("files_deleted_at", "is", null)
    .where("erased_at", "is", null)
    .where("decided_at", "<", new Date(now.getTime() - days * DAY_MS))
    .orderBy("decided_at")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const row of old) await deleteFiles(transaction, row, { actor: "system", now });
  return old.length;
}

/** Volunteers with a verified check: the law requires a record. */
const hadCheck = sql<boolean>`(
  exists (select from working_with_children_checks where application_id = application.id and verified_at is not null)
  and exists (select from volunteer_events where application_id = application.id and event = 'approved'))`;

/**
 * Deletes the applications that `due` selects, with their files, checks and history. If the law requires a record of
 * the check, the name and the verified checks are kept.
 */
async function eraseApplications(transaction: Connection, due: RawBuilder<unknown>, now: Date): Promise<number> {
  const { rows } = await sql<{ id: string; photo: string | null; signature: string | null; hadCheck: boolean }>`
    select id, photo_file_id as photo, signature_file_id as signature, ${hadCheck} as "hadCheck"
      from volunteer_applications application where id in (${due})`.execute(transaction);
  const idsOf = (isKept: boolean) => rows.filter(({ hadCheck }) => hadCheck === isKept).map(({ id }) => id);
  const [kept, gone] = [idsOf(true), idsOf(false)];
  await sql`delete from volunteer_applications where id = any(${gone}::uuid[])`.execute(transaction);
  await sql`
    update volunteer_applications set erased_at = ${now}, street = '', city = '', state = '', country = '', postcode = '',
        mobile = '', email = '', skills = '', experience = '', emergency_name = '', emergency_postcode = '',
        emergency_city = '', emergency_state = '', emergency_country = '', emergency_mobile = '', emergency_email = '',
        photo_file_id = null, signature_file_id = null
     where id = any(${kept}::uuid[])`.execute(transaction);
  await sql`delete from volunteer_shift_places where application_id = any(${kept}::uuid[])`.execute(transaction);
  await sql`delete from volunteer_events where application_id = any(${kept}::uuid[])`.execute(transaction);
  await sql`
    delete from working_with_children_checks where application_id = any(${kept}::uuid[]) and verified_at is null`.execute(
    transaction,
  );
  const files = rows.flatMap(({ photo, signature }) => [photo, signature]).filter((file) => file !== null);
  await deletePrivateFiles(transaction, files);
  return rows.length;
}

const eraseOld = async (transaction: Connection, { now, limit }: Due): Promise<number> => {
  const closed = sql`select id from volunteer_applications
     where stage in ('declined', 'withdrawn') and erased_at is null and decided_at < ${now}::timestamptz - interval '1 year'
     order by decided_at limit ${limit} for update skip locked`;
  const undecided = sql`select id from volunteer_applications
     where stage in ('received', 'in_review', 'waiting') and updated_at < ${now}::timestamptz - interval '2 years'
     order by updated_at limit ${limit} for update skip locked`;
  return (await eraseApplications(transaction, closed, now)) + (await eraseApplications(transaction, undecided, now));
};

const deleteOldChecks = eraseBy(
  ({ now, limit }) => sql`
    delete from volunteer_applications where id in (
      select id from volunteer_applications
       where stage in ('declined', 'withdrawn') and erased_at is not null
         and decided_at < ${now}::timestamptz - interval '7 years'
       order by decided_at limit ${limit} for update skip locked)`,
);

/** Applications are withdrawn first, so that the coordinator is told about volunteers who leave. */
async function release(services: VolunteerServices, transaction: Connection, person: Person): Promise<void> {
  const rows = await transaction
    .selectFrom("volunteer_applications")
    .selectAll()
    .where(isOf(person))
    .where("erased_at", "is", null)
    .forUpdate()
    .execute();
  for (const row of rows) {
    if (stageEventOf(row.stage, "withdrawn") === undefined) continue;
    await carryOut(services, transaction, row, { id: row.id, to: "withdrawn", actor: "applicant" });
  }
  const ids = rows.map(({ id }) => id);
  await eraseApplications(transaction, sql`select unnest(${ids}::uuid[])`, services.now());
}

const applicationRules: readonly RetentionRule[] = [
  {
    name: "applications",
    where: "Volunteer application",
    what: "Name, address, mobile, email, skills, experience, interests and availability; your shifts and hours; the name and contact details of your emergency contact; notes by our staff about the application",
    why: "To decide about the application, work with you safely, and reach someone in an emergency.",
    kept: "As long as you volunteer; one year after you withdraw or we decline; two years after its last change if nothing was decided. If you close your account: it is withdrawn and deleted immediately.",
    afterwards: "Then it is deleted.",
    columns: [
      ...columns("volunteer_applications", "name", "street", "city", "state", "country", "postcode", "mobile"),
      ...columns("volunteer_applications", "email", "preferred_contact", "skills", "experience", "availability"),
      ...columns("volunteer_applications", "interests", "roles", "emergency_name", "emergency_postcode"),
      ...columns("volunteer_applications", "emergency_city", "emergency_state", "emergency_country"),
      ...columns("volunteer_applications", "emergency_mobile", "emergency_email", "user_id"),
      ...columns("volunteer_applications", "emergency_preferred_contact"),
      ...columns("volunteer_events", "event", "actor", "detail"),
      ...columns("volunteer_shift_places", "left_because"),
    ],
    erase: eraseOld,
  },
  {
    name: "checks",
    where: "Working With Children Check",
    what: "Name, number, state and expiry date of the check of someone who volunteered with us, and who verified it and when",
    why: "The law requires this record, in New South Wales section 9A of the Child Protection (Working with Children) Act 2012.",
    kept: "Seven years after you stop volunteering, even if you close your account.",
    afterwards: "Then it is deleted.",
    columns: [
      ...columns("volunteer_applications", "name"),
      ...columns("working_with_children_checks", "state", "number", "kind", "verified_by", "revoked_by"),
    ],
    erase: deleteOldChecks,
  },
];

export function volunteerHoldings(
  services: VolunteerServices & { readonly files: Files },
  { filesDays }: { filesDays: number },
): Holdings {
  return {
    rules: [
      {
        name: "volunteers' files",
        where: "Photo and signature of volunteers",
        what: "The pictures that you send with an application",
        why: "To know who you are when you come, and that the application is yours.",
        kept: `While you apply or volunteer. They are deleted immediately if you withdraw or close your account, and ${filesDays} days after we decline.`,
        afterwards: "The rest of the application stays.",
        columns: [...columns("private_files", "media_type", "bytes", "object_sha256")],
        erase: (transaction, due) => deleteOldFiles(transaction, due, filesDays),
      },
      ...applicationRules,
    ],
    notPersonal: [
      ...columns("volunteer_applications", "reference", "stage"),
      ...columns("volunteer_roles", "title"),
      ...columns("volunteer_shifts", "title", "place", "notes"),
      ...columns("volunteer_shift_roles", "role"),
      ...columns("volunteer_shift_places", "role"),
    ],
    // The account's own number, a city that no form asks for, what staff did and noted, and a checksum of the pictures.
    notExported: [
      "private_files.object_sha256",
      ...columns("volunteer_applications", "user_id", "city"),
      ...columns("volunteer_events", "event", "actor", "detail"),
      ...columns("working_with_children_checks", "verified_by", "revoked_by"),
    ],
    exportedToStaff: [
      ...columns("volunteer_events", "event", "actor", "detail"),
      ...columns("working_with_children_checks", "verified_by", "revoked_by"),
    ],
    exportOf: async (connection, person) => ({ applications: await listApplicationsOf(connection, person) }),
    fillExport: async ({ applications }) => {
      for (const application of applications as Exported[]) await fillPictures(services, application);
    },
    listSubjects: async (connection, person) => {
      const applications = connection.selectFrom("volunteer_applications").select("id").where(isOf(person));
      return (await applications.execute()).map(({ id }) => ({ subject: "application", subjectId: id }));
    },
    planErasure: (connection, person, { now }) => planErasure(connection, person, now),
    release: (transaction, person) => release(services, transaction, person),
  };
}

type Planned = {
  readonly reference: string;
  readonly stage: Stage;
  readonly hadCheck: boolean;
  readonly endedAt: Date | null;
};

async function planErasure(connection: Connection, person: Person, now: Date): Promise<ErasurePlan | null> {
  const { rows } = await sql<Planned>`
    select reference, stage, ${hadCheck} as "hadCheck", decided_at as "endedAt"
      from volunteer_applications application
     where ${isOf(person)} and erased_at is null order by created_at`.execute(connection);
  if (rows.length === 0) return null;
  const erases = rows.map(({ reference, stage }) =>
    stageEventOf(stage, "withdrawn") === undefined
      ? `Application ${reference} with its notes, photo, signature, emergency contact and shifts`
      : `Application ${reference}, which is withdrawn first, with its notes, photo, signature, emergency contact and shifts`,
  );
  const keeps = rows
    .filter((row) => row.hadCheck)
    .map(({ reference, stage, endedAt }) => ({
      what: `Name and Working With Children Check of application ${reference}`,
      until: formatKeptUntil(stageEventOf(stage, "withdrawn") === undefined ? (endedAt ?? now) : now, { years: 7 }),
      why: "The law requires a record of everybody who worked with children: for seven years after they stop.",
      columns: [
        ...columns("volunteer_applications", "name", "interests", "roles", "availability", "preferred_contact"),
        ...columns("volunteer_applications", "emergency_preferred_contact"),
        ...columns("working_with_children_checks", "state", "number", "kind", "verified_by", "revoked_by"),
      ],
    }));
  return { title: "Volunteering", erases, keeps, obstacles: [] };
}

/**
 * A person's applications for a download. For a member (PRO-12) the emergency contact and the pictures are included only
 * if they were logged in when they applied: a confirmed email address shows no more than the page behind its link.
 */
async function listApplicationsOf(connection: Connection, person: Person) {
  const rows = await connection
    .selectFrom("volunteer_applications")
    .selectAll()
    .where(isOf(person))
    .where("erased_at", "is", null)
    .orderBy("created_at")
    .execute();
  return Promise.all(
    rows.map(async (row) => {
      const { id, reference, stage, roles, created_at: sentAt, decided_at: decidedAt } = row;
      const check = await findCheck(connection, id);
      return {
        reference,
        sentAt,
        stage,
        decidedAt,
        roles,
        ...contentOf(row, person),
        check: checkOf(check),
        shifts: await listPlacesOf(connection, id),
        ...(person.askedBy === "staff" && (await listHistoryOf(connection, id))),
      };
    }),
  );
}

/** Every shift that a volunteer signed up for, with what became of it. */
async function listPlacesOf(connection: Connection, id: string): Promise<object[]> {
  return connection
    .selectFrom("volunteer_shift_places as place")
    .innerJoin("volunteer_shifts as shift", "shift.id", "place.shift_id")
    .select(["shift.title", "shift.starts_at as startsAt", "place.role", "place.minutes"])
    .select(["place.left_because as leftBecause"])
    .where("place.application_id", "=", id)
    .orderBy("shift.starts_at")
    .execute();
}

/** What staff did and wrote, and every check, with who verified it. */
async function listHistoryOf(connection: Connection, id: string): Promise<object> {
  const checks = connection
    .selectFrom("working_with_children_checks")
    .select(["state", "number", "kind", "expires_on as expiresOn", "created_at as recordedAt"])
    .select(["verified_by as verifiedBy", "verified_at as verifiedAt"])
    .select(["revoked_by as revokedBy", "revoked_at as revokedAt"])
    .where("application_id", "=", id)
    .orderBy("created_at");
  return { checks: await checks.execute(), history: await listApplicationEvents(connection, id) };
}

/** The pictures by their ids: `fillPictures` reads them. */
function contentOf(row: ApplicationRow, { askedBy }: Person): object {
  const application = applicationOf(row);
  if (row.user_id !== null || askedBy === "staff") {
    return { ...application, photo: row.photo_file_id, signature: row.signature_file_id };
  }
  return Object.fromEntries(Object.entries(application).filter(([name]) => !name.startsWith("emergency")));
}

type Exported = { photo?: string | null; signature?: string | null };

/** Replaces the ids of an application's pictures by data URLs. One that was deleted in the meantime is null. */
async function fillPictures(
  services: { readonly database: Connection; readonly files: Files },
  application: Exported,
): Promise<void> {
  for (const name of ["photo", "signature"] as const) {
    const id = application[name];
    if (typeof id !== "string") continue;
    const file = await findPrivateFile(services, id);
    application[name] = file === undefined ? null : `data:${file.media_type};base64,${file.bytes.toString("base64")}`;
  }
}

/** Leaves out who verified it. */
function checkOf(check: Awaited<ReturnType<typeof findCheck>>): object | null {
  if (check === undefined) return null;
  const { state, number, kind, expiresOn, verifiedAt } = check;
  return { state, number, kind, expiresOn, verifiedAt };
}
