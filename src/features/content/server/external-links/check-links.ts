import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import type { Network, Visit } from "#shared/outbound/visit.ts";
import { judgeVisit } from "./judge-visit.ts";
import { takeInLinks } from "./take-in-links.ts";
import "../tables.ts";

type Services = CoreServices<"database" | "now", "checksLinks" | "publicUrl"> & {
  readonly log: Pick<FastifyBaseLogger, "warn">;
};
type DueLink = {
  readonly id: number;
  readonly address: string;
  readonly host: string;
  readonly failing_since: Date | null;
};

/** A process that was killed while it checked a link holds the others up no longer than this. */
const LEASE_MS = 60_000;
/** Between two links, and between two of one host. */
const PAUSE_MS = 2000;
const HOST_PAUSE_MS = 10_000;
/** How long an answer of any website shows that this machine has internet. */
const REACHED_MS = 60_000;
/** Until the next try without internet, and until the same link is tried again. */
const AWAY_MS = 600_000;
const POSTPONED_MS = 3_600_000;

/**
 * Checks the link that has been due longest, if one is. All processes together check one at a time, so that links which
 * were published on one day are spread out.
 */
export async function checkNextLink({ database, config, now, log }: Services, network?: Network): Promise<void> {
  if (!config.checksLinks) return;
  await takeInLinks(database, now());
  const link = await claimLink(database, now());
  if (link === null) return;
  const { visit } = await import("#shared/outbound/visit.ts");
  const userAgent = `Mozilla/5.0 (compatible; AlmonerLinkCheck/1.0; +${new URL(config.publicUrl).origin})`;
  const ask = (address: string) => visit(address, { userAgent, ...(network && { network }) });
  const visited = await ask(link.address);
  if (visited.kind === "answered") await noteAnswer(database, now());
  else if (visited.kind === "failed" && !(await hasInternet(database, link, { ask, now }))) {
    return postponeCheck(database, link, { now: now(), log });
  }
  await database
    .updateTable("external_links")
    .set(judgeVisit(link, visited, now()))
    .where("id", "=", link.id)
    .execute();
  const pauseEnds = new Date(now().getTime() + PAUSE_MS);
  await database.updateTable("external_link_checks").set({ busy_until: pauseEnds }).execute();
}

/** The link that is due, if nobody is checking one. */
async function claimLink(database: Database, now: Date): Promise<DueLink | null> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const until = new Date(now.getTime() + LEASE_MS);
  const { rows } = await sql<DueLink>`
    with due as (
      select id, address, host, failing_since from external_links as link
      where not is_excepted and check_at <= ${now} and not exists (
        select from external_links where host = link.host and checked_at > ${before(HOST_PAUSE_MS)})
      order by check_at, id limit 1
    ), claimed as (
      update external_link_checks set busy_until = ${until}
      where (busy_until is null or busy_until <= ${now}) and exists (select from due)
      returning is_singleton
    )
    select due.* from due, claimed`.execute(database);
  return rows[0] ?? null;
}

async function noteAnswer(database: Database, now: Date): Promise<void> {
  await database.updateTable("external_link_checks").set({ reached_at: now, unreached_since: null }).execute();
}

type Asking = { readonly ask: (address: string) => Promise<Visit>; readonly now: () => Date };

/** Whether another website has answered lately, or does now: the one that did last. */
async function hasInternet(database: Database, { host }: DueLink, { ask, now }: Asking): Promise<boolean> {
  const { reached_at } = await database
    .selectFrom("external_link_checks")
    .select("reached_at")
    .executeTakeFirstOrThrow();
  if (reached_at !== null && now().getTime() - reached_at.getTime() < REACHED_MS) return true;
  const other = await database
    .selectFrom("external_links")
    .select("address")
    .where("host", "<>", host)
    .where("is_excepted", "=", false)
    .orderBy(sql`state = 'works'`, "desc")
    .orderBy("checked_at", (order) => order.desc().nullsLast())
    .orderBy("id")
    .executeTakeFirst();
  const isAnswered = other !== undefined && (await ask(other.address)).kind === "answered";
  if (isAnswered) await noteAnswer(database, now());
  return isAnswered;
}

/** Without internet every link would fail, so none is marked. */
async function postponeCheck(
  database: Database,
  { id }: DueLink,
  { now, log }: { now: Date; log: Services["log"] },
): Promise<void> {
  const later = (ms: number) => new Date(now.getTime() + ms);
  await database
    .updateTable("external_links")
    .set({ check_at: later(POSTPONED_MS) })
    .where("id", "=", id)
    .execute();
  const { unreached_since } = await database
    .selectFrom("external_link_checks")
    .select("unreached_since")
    .executeTakeFirstOrThrow();
  if (unreached_since === null) log.warn("no other website answers, so links are not checked until one does");
  await database
    .updateTable("external_link_checks")
    .set({ busy_until: later(AWAY_MS), unreached_since: unreached_since ?? now })
    .execute();
}
