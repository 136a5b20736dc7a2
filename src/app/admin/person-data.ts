import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import type { DescribedAct, RecordedAct } from "#admin/acts.ts";
import { recordAct } from "#admin/audit.ts";
import type { PersonData } from "#admin/person-data.ts";
import { isOneOf, selectActs } from "#admin/recorded-acts.ts";
import { deleteAccount, lockAccount } from "#features/accounts/server/close-account.ts";
import { findUserByEmail } from "#features/accounts/server/store.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { revokeLinks } from "#shared/links/document-links.ts";
import type { ErasurePlan, Holdings, Person, PersonSubject } from "#shared/retention/retention.ts";
import { exportPerson, fillExport, releasePerson } from "../holdings.ts";

type Services = CoreServices<"database" | "now"> & { readonly log: FastifyBaseLogger };

type Parts = {
  readonly holdings: readonly Holdings[];
  readonly findEmail: PersonData["findEmail"];
  readonly describeActs: (acts: readonly RecordedAct[]) => Promise<readonly DescribedAct[]>;
};

const NOTHING_LEFT = "Everything that may be erased now is erased already, so nothing was done.";

/** Everything about whoever has an email address, from what every part of the site keeps. */
export function createPersonData(services: Services, { holdings, findEmail, describeActs }: Parts): PersonData {
  const { database, now } = services;
  return {
    findEmail,
    exportPerson: async ({ id, email }) => {
      const read = await database
        .transaction()
        .setIsolationLevel("repeatable read")
        .execute(async (transaction) => {
          const person = personOf(email, (await findUserByEmail(transaction, email))?.user.id);
          const subjects = await listSubjects(transaction, holdings, person);
          const held = await exportPerson(transaction, holdings, person, subjects);
          const acts = await listActs(transaction, subjects);
          const about = subjects.find(({ subjectId }) => subjectId === id) ?? { subject: "person", subjectId: id };
          return { held, about, whatStaffDid: (await describeActs(acts)).map(writeAct) };
        });
      const held = await fillExport(holdings, read.held);
      return { data: { exportedAt: now(), email, ...held, whatStaffDid: read.whatStaffDid }, about: read.about };
    },
    planErasure: async (email) => {
      const person = personOf(email, (await findUserByEmail(database, email))?.user.id);
      const subjects = await listSubjects(database, holdings, person);
      return listPlans(database, holdings, { person, subjects, now: now() });
    },
    erasePerson: ({ email, reason }, actor) =>
      database.transaction().execute(async (transaction) => {
        const at = now();
        // Two who erase the same person wait for each other.
        await sql`select pg_advisory_xact_lock(hashtextextended(lower(${email}), 42))`.execute(transaction);
        const account = await lockAccount(transaction, email);
        const person = personOf(email, account?.user.id);
        const subjects = await listSubjects(transaction, holdings, person);
        requireErasable(await listPlans(transaction, holdings, { person, subjects, now: at }));
        await releasePerson(transaction, holdings, { person, now: at });
        if (account !== undefined) await deleteAccount(transaction, account.user.id);
        for (const { subject, subjectId, document } of subjects) {
          await recordAct(transaction, actor, { verb: "person.erase", subject, subjectId, reason }, at);
          if (document === undefined) continue;
          const revoking = { database: transaction, now: () => at, log: services.log };
          await revokeLinks(revoking, document, actor.staff?.name ?? "staff");
        }
      }),
  };
}

const personOf = (email: string, userId: number | undefined): Person => ({
  userId: userId ?? null,
  email,
  isConfirmed: true,
  askedBy: "staff",
});

async function listSubjects(
  connection: Connection,
  holdings: readonly Holdings[],
  person: Person,
): Promise<PersonSubject[]> {
  const subjects: PersonSubject[] = [];
  for (const held of holdings) subjects.push(...((await held.listSubjects?.(connection, person)) ?? []));
  return subjects;
}

async function listPlans(
  connection: Connection,
  holdings: readonly Holdings[],
  { person, ...known }: { readonly person: Person; readonly subjects: readonly PersonSubject[]; readonly now: Date },
): Promise<ErasurePlan[]> {
  const plans: ErasurePlan[] = [];
  for (const { planErasure } of holdings) {
    const plan = await planErasure?.(connection, person, known);
    if (plan) plans.push(plan);
  }
  return plans;
}

/** @throws Refusal */
function requireErasable(plans: readonly ErasurePlan[]): void {
  const [first] = plans.flatMap(({ obstacles }) => obstacles);
  if (first !== undefined) throw new Refusal(`${first.what} So nothing was erased.`);
  if (plans.every(({ erases }) => erases.length === 0)) throw new Refusal(NOTHING_LEFT);
}

async function listActs(connection: Connection, subjects: readonly PersonSubject[]): Promise<RecordedAct[]> {
  if (subjects.length === 0) return [];
  // Looks at what shows faith are recorded with the person.
  const allSubjects = subjects.flatMap((one) => [one, { ...one, subject: "person" }]);
  return selectActs(connection).where(isOneOf(allSubjects)).orderBy("audit_trail.id").execute();
}

/** An act in words, without the empty parts. */
function writeAct({ at, actor, words, about, reason, changes }: DescribedAct): object {
  return {
    at,
    act: [actor, words, about.text].filter(Boolean).join(" "),
    ...(reason !== "" && { text: reason }),
    ...(changes.length > 0 && { changes }),
  };
}
