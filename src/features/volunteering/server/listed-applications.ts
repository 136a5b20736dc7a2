import { type RawBuilder, sql } from "kysely";
import { cutPage, type ListPage, type PageEdges } from "#admin/list-place.ts";
import { readReference } from "#payments/reference.ts";
import type { Connection } from "#shared/database/connect.ts";
import { addMonths } from "../checks.ts";
import type { Stage } from "../stages.ts";

/** An application as the board and the list show it. */
export type ListedApplication = {
  readonly id: string;
  readonly reference: string;
  readonly name: string;
  readonly state: string;
  readonly postcode: string;
  readonly stage: Stage;
  readonly version: number;
  /** What the person wants to do; once approved, what they are approved for. */
  readonly wants: readonly string[];
  readonly availability: "Availability" | "Weekend";
  /** When it was sent. */
  readonly at: Date;
  /** Since when it has been in its stage or, if we asked the applicant something there, since we asked. */
  readonly since: Date;
  readonly isAsked: boolean;
  /** Whether anything that they want to do needs a Working With Children Check. */
  readonly needsCheck: boolean;
  readonly check: { readonly expiresOn: string; readonly isVerified: boolean } | null;
};

export const checkFilters = ["valid", "ends", "unverified", "missing"] as const;
type CheckFilter = (typeof checkFilters)[number];

export type ApplicationFilter = {
  readonly q: string;
  /** `open`: nothing is decided yet. */
  readonly stage: Stage | "open" | null;
  readonly role: string | null;
  readonly days: "Availability" | "Weekend" | null;
  readonly check: CheckFilter | null;
};

const since = sql<Date>`greatest(a.created_at, a.decided_at, a.asked_at)`;
const wants = sql<string[]>`case when a.stage = 'approved' then a.roles else a.interests end`;

const columns = sql`
  a.id, a.reference, a.name, a.state, a.postcode, a.stage, a.stage_version as version, a.availability,
  a.asked_at is not null as "isAsked",
  ${wants} as wants, a.created_at as at, ${since} as since,
  exists (select from volunteer_roles where needs_check and title = any(${wants})) as "needsCheck",
  case when held.id is not null then
    json_build_object('expiresOn', held.expires_on, 'isVerified', held.verified_at is not null and held.revoked_at is null) end as check`;
const applications = sql`
  volunteer_applications a left join working_with_children_checks held
    on held.application_id = a.id and held.replaced_at is null`;

/** A page of applications, newest first. */
export async function listApplications(
  connection: Connection,
  filter: ApplicationFilter,
  page: Partial<PageEdges> & { readonly today: string; readonly limit: number },
): Promise<ListPage<ListedApplication>> {
  const { limit, olderThan = null, newerThan = null } = page;
  const isUpwards = olderThan === null && newerThan !== null;
  const edge = olderThan ?? newerThan;
  const conditions = [
    ...conditionsOf(filter, page.today),
    ...(edge === null
      ? []
      : [sql`(a.created_at, a.id) ${isUpwards ? sql`>` : sql`<`} (${edge.at}::timestamptz, ${edge.id}::uuid)`]),
  ];
  const order = isUpwards ? sql`a.created_at, a.id` : sql`a.created_at desc, a.id desc`;
  const { rows } = await sql<ListedApplication>`
    select ${columns} from ${applications} where ${sql.join(conditions, sql` and `)}
     order by ${order} limit ${limit + 1}`.execute(connection);
  return cutPage(rows, { limit, edge, isUpwards });
}

function conditionsOf({ q, stage, role, days, check }: ApplicationFilter, today: string): RawBuilder<unknown>[] {
  const reference = readReference(q, "V");
  return [
    sql`a.erased_at is null`,
    ...(q === ""
      ? []
      : [
          reference === null
            ? sql`(a.email <> '' and search_words(fold_text(a.name || ' ' || a.email)) @@ words_that_begin(${q}))`
            : sql`a.reference = ${reference}`,
        ]),
    ...(stage === null
      ? []
      : [stage === "open" ? sql`a.stage in ('received', 'in_review', 'waiting')` : sql`a.stage = ${stage}`]),
    ...(role === null ? [] : [sql`${role} = any(${wants})`]),
    ...(days === null ? [] : [sql`a.availability = ${days}`]),
    ...(check === null ? [] : [checkCondition(check, today)]),
  ];
}

const isValidOn = (today: string) =>
  sql`held.verified_at is not null and held.revoked_at is null and held.expires_on >= ${today}::date`;

function checkCondition(check: CheckFilter, today: string): RawBuilder<unknown> {
  const isValid = isValidOn(today);
  switch (check) {
    case "valid":
      return sql`(${isValid})`;
    case "ends":
      return sql`(${isValid} and held.expires_on <= ${addMonths(today, 3)}::date)`;
    case "unverified":
      return sql`((held.verified_at is null or held.revoked_at is not null) and held.expires_on >= ${today}::date)`;
    case "missing":
      return sql`((held.id is null or held.expires_on < ${today}::date)
        and exists (select from volunteer_roles where needs_check and title = any(${wants})))`;
  }
}

export type Lane = { readonly count: number; readonly cards: readonly ListedApplication[] };

/** The columns of the board. */
export const lanes = ["received", "in_review", "waiting", "approved"] as const;
export type LaneName = (typeof lanes)[number];

/** Who was approved before `approvedSince` is no longer on the board. Who has waited longest comes first. */
export async function readBoard(
  connection: Connection,
  { limit, approvedSince }: { limit: number; approvedSince: Date },
): Promise<Record<LaneName, Lane>> {
  const read = async (lane: LaneName): Promise<Lane> => {
    const isInLane = sql`a.erased_at is null and a.stage = ${lane}
      and (${lane !== "approved"} or ${since} >= ${approvedSince}::timestamptz)`;
    const order = lane === "approved" ? sql`${since} desc, a.id desc` : sql`${since}, a.id`;
    const { rows: cards } = await sql<ListedApplication>`
      select ${columns} from ${applications} where ${isInLane} order by ${order} limit ${limit}`.execute(connection);
    if (cards.length < limit) return { count: cards.length, cards };
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from volunteer_applications a where ${isInLane}`.execute(connection);
    return { count: rows[0]!.count, cards };
  };
  const [received, in_review, waiting, approved] = await Promise.all(lanes.map(read));
  return { received: received!, in_review: in_review!, waiting: waiting!, approved: approved! };
}

/** Applications that somebody has to go on with, and that have been in their stage since before `than`. */
export async function countWaitingLonger(connection: Connection, than: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from volunteer_applications a where ${waitsSince(than)}`.execute(connection);
  return rows[0]!.count;
}

const waitsSince = (than: Date) => sql<boolean>`
  a.erased_at is null and a.stage in ('received', 'in_review') and a.asked_at is null and ${since} < ${than}::timestamptz`;

/** How many things there are, and the first of them. */
export type CountedList<Thing> = { readonly count: number; readonly first: readonly Thing[] };

/** Those applications, of which the ones that have waited longest come first. */
export async function listWaitingLonger(
  connection: Connection,
  than: Date,
  limit: number,
): Promise<CountedList<{ readonly name: string; readonly since: Date }>> {
  const { rows } = await sql<{ name: string; since: Date; count: number }>`
    select a.name, ${since} as since, count(*) over ()::integer as count from volunteer_applications a
     where ${waitsSince(than)} order by ${since}, a.id limit ${limit}`.execute(connection);
  return { count: rows[0]?.count ?? 0, first: rows };
}

/** Valid checks that end by a day, soonest first. */
export async function listEndingChecks(
  connection: Connection,
  { today, until, limit }: { today: string; until: string; limit: number },
): Promise<CountedList<{ readonly name: string; readonly day: string }>> {
  const { rows } = await sql<{ name: string; day: string; count: number }>`
    select a.name, held.expires_on::text as day, count(*) over ()::integer as count from ${applications}
     where a.erased_at is null and a.stage = 'approved' and ${isValidOn(today)} and held.expires_on <= ${until}::date
     order by held.expires_on, a.id limit ${limit}`.execute(connection);
  return { count: rows[0]?.count ?? 0, first: rows };
}
