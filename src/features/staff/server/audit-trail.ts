import { sql } from "kysely";
import type { ActSubject, RecordedAct } from "#admin/acts.ts";
import { isOneOf, selectActs } from "#admin/recorded-acts.ts";
import type { Connection } from "#shared/database/connect.ts";

export type TrailAct = RecordedAct & { readonly ipAddress: string };

/** Selects acts. */
export type TrailFilter = {
  /** A member of staff by their id, or `commands` run on the server. */
  readonly who?: number | "commands";
  /** The first word of their verbs: 'refund' of 'refund.request'. */
  readonly group?: string;
  /** The thing they were done to. */
  readonly about?: readonly ActSubject[];
  readonly from?: Date;
  readonly until?: Date;
};

/** `before` and `after` are ids of acts: only acts that were recorded earlier or later. */
export type TrailPlace = { readonly before?: number; readonly after?: number };

type TrailPage = {
  readonly acts: readonly TrailAct[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
};

const TRAIL_PAGE = 50;
const CHUNK = 1000;

/** One page of the audit trail, latest first. */
export async function listTrail(
  connection: Connection,
  filter: TrailFilter,
  { before, after }: TrailPlace,
): Promise<TrailPage> {
  const isBack = after !== undefined;
  const rows = await selectTrail(connection, filter)
    .$if(isBack, (query) => query.where("audit_trail.id", ">", after!))
    .$if(!isBack && before !== undefined, (query) => query.where("audit_trail.id", "<", before!))
    .orderBy("audit_trail.id", isBack ? "asc" : "desc")
    .limit(TRAIL_PAGE + 1)
    .execute();
  const hasMore = rows.length > TRAIL_PAGE;
  const acts = rows.slice(0, TRAIL_PAGE);
  if (isBack) return { acts: acts.reverse(), hasNewer: hasMore, hasOlder: true };
  return { acts, hasNewer: before !== undefined, hasOlder: hasMore };
}

/** All acts up to one of them, oldest first, in chunks. */
export async function* readTrail(
  connection: Connection,
  filter: TrailFilter,
  { upTo }: { readonly upTo: number },
): AsyncGenerator<TrailAct[]> {
  let edge = 0;
  for (;;) {
    const rows = await selectTrail(connection, filter)
      .where("audit_trail.id", ">", edge)
      .where("audit_trail.id", "<=", upTo)
      .orderBy("audit_trail.id")
      .limit(CHUNK)
      .execute();
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
    edge = rows.at(-1)!.id;
  }
}

function selectTrail(connection: Connection, { who, group, about, from, until }: TrailFilter) {
  return selectActs(connection)
    .select("ip_address as ipAddress")
    .$castTo<TrailAct>()
    .$if(who === "commands", (query) => query.where("staff_id", "is", null))
    .$if(typeof who === "number", (query) => query.where("staff_id", "=", who as number))
    .$if(group !== undefined, (query) => query.where(sql<boolean>`split_part(verb, '.', 1) = ${group}`))
    .$if(about !== undefined, (query) => query.where(about!.length === 0 ? sql<boolean>`false` : isOneOf(about!)))
    .$if(from !== undefined, (query) => query.where("at", ">=", from!))
    .$if(until !== undefined, (query) => query.where("at", "<", until!));
}
