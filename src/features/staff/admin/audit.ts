import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { type DescribedAct, describeActs } from "#admin/acts.ts";
import { recordAct, WITH_SEARCH_WORDS } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import { readTexts } from "#admin/read-texts.ts";
import type { AdminReads } from "#admin/screen.ts";
import { BYTE_ORDER_MARK, csvLine } from "#shared/csv.ts";
import type { Database } from "#shared/database/connect.ts";
import { clockIn, dayInSydney } from "#shared/language.ts";
import { listTrail, readTrail, type TrailAct, type TrailFilter } from "../server/audit-trail.ts";
import type { PeopleServices } from "../server/people/change-staff.ts";
import { listPeople } from "../server/people/list-people.ts";
import { type AuditQuery, type AuditTexts, findAbout, listGroups, readAuditQuery } from "./audit-query.ts";

export type AuditView = Pick<AuditQuery, "texts" | "errors"> & {
  readonly acts: readonly (TrailAct & DescribedAct)[];
  /** The ids at which the pages before and after this one begin; null without such a page. */
  readonly newerThan: number | null;
  readonly olderThan: number | null;
  readonly people: readonly { readonly id: number; readonly name: string }[];
  readonly groups: readonly { readonly value: string; readonly label: string }[];
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** The page of the audit trail for an address. */
    readAudit(query: Readonly<Record<string, string>>, reads: AdminReads): Promise<AuditView>;
  }
}

/** The audit trail: its screen, and its export. */
export function auditPart(services: PeopleServices): AdminPart {
  return {
    reads: {
      readAudit: (query: Readonly<Record<string, string>>, reads: AdminReads) => readAudit(services, query, reads),
    },
    routes: (admin, reads) => addExport(admin, services, reads),
  };
}

const vocabulary = ({ auditWords, auditSubjects, auditFields }: AdminReads) => ({
  words: auditWords,
  subjects: auditSubjects,
  fields: auditFields,
});

async function readAudit(
  services: PeopleServices,
  query: Readonly<Record<string, string>>,
  reads: AdminReads,
): Promise<AuditView> {
  const { texts, errors, filter, place } = readAuditQuery(query);
  const [page, people] = await Promise.all([
    wholeFilter(filter, texts, reads).then((whole) => listTrail(services.database, whole, place)),
    listPeople(services),
  ]);
  const acts = await describeActs(page.acts, vocabulary(reads));
  return {
    texts,
    errors,
    acts,
    newerThan: page.hasNewer ? (acts[0]?.id ?? null) : null,
    olderThan: page.hasOlder ? (acts.at(-1)?.id ?? null) : null,
    people: people.map(({ id, name }) => ({ id, name })),
    groups: listGroups(reads.auditWords, reads.auditSubjects),
  };
}

async function wholeFilter(
  filter: AuditQuery["filter"],
  { q }: AuditTexts,
  { auditWords, auditSubjects }: AdminReads,
): Promise<TrailFilter> {
  return q === "" ? filter : { ...filter, about: await findAbout(q, auditWords, auditSubjects) };
}

/** The same filters at `/admin/audit.csv`, oldest first. The trail, and so the file, records who exported. */
function addExport(admin: FastifyInstance, { database, staffSessions, now }: PeopleServices, reads: AdminReads): void {
  const config = { access: "audit.see", needsProof: true } as const;
  admin.get("/admin/audit.csv", { config, schema: { hide: true } as object }, async (request, reply) => {
    const { texts, errors, filter } = readAuditQuery(readTexts(request.query));
    // An invalid filter exports nothing: it redirects to the screen, which says what is wrong.
    if (Object.keys(errors).length > 0) return reply.redirect(request.url.replace(".csv", ""), 302);
    const session = await staffSessions.find(request);
    const whole = await wholeFilter(filter, texts, reads);
    const at = now();
    const set = { ...texts, ...(texts.q !== "" && { q: WITH_SEARCH_WORDS }) };
    const used = Object.fromEntries(Object.entries(set).filter(([, text]) => text !== ""));
    const actor = { staff: session!.staff, ipAddress: request.ip };
    const act = { verb: "export.audit", subject: "export", subjectId: "", after: { format: "csv", ...used } };
    const upTo = await recordAct(database, actor, act, at);
    const name = `audit-trail-${dayInSydney(at)}.csv`;
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="${name}"`)
      .send(Readable.from(writeTrail(database, whole, { upTo, reads })));
  });
}

const headings = [
  "Number",
  "Time in Sydney",
  "Who",
  "What",
  "About",
  "Verb",
  "Subject",
  "Subject id",
  "Reason",
  "Before",
  "After",
  "Internet address",
];

async function* writeTrail(
  database: Database,
  filter: TrailFilter,
  { upTo, reads }: { readonly upTo: number; readonly reads: AdminReads },
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(headings);
  for await (const chunk of readTrail(database, filter, { upTo })) {
    const acts = await describeActs(chunk, vocabulary(reads));
    yield acts.map((act) => csvLine(cellsOf(act))).join("");
  }
}

const json = (value: object | null) => (value === null ? "" : JSON.stringify(value));

function cellsOf(act: TrailAct & DescribedAct): (string | number)[] {
  const { id, at, actor, words, about, verb, subject, subjectId, reason, before, after, ipAddress } = act;
  const time = clockIn("Australia/Sydney", at);
  return [id, time, actor, words, about.text, verb, subject, subjectId, reason, json(before), json(after), ipAddress];
}
