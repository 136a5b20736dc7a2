import { DAY_MS } from "#shared/day-length.ts";
import type { Visit } from "#shared/outbound/visit.ts";

/** `failing`: failed once, and is dead if it fails again. `unclear`: nobody said whether the page is there. */
export type LinkState = "new" | "works" | "unclear" | "failing" | "dead";
/** Why a link fails. */
export type LinkReason = "not_found" | "removed" | (Visit & { kind: "failed" })["reason"];

type JudgedLink = {
  readonly state: LinkState;
  readonly reason: LinkReason | null;
  readonly failing_since: Date | null;
  readonly checked_at: Date;
  readonly check_at: Date;
};

const WEEK_MS = 7 * DAY_MS;

/**
 * What a check says about a link. It is dead if its website says that the page is not there, or if there was no website
 * in two checks at least a day apart. Refusals, limits and errors of a server say nothing: many refuse programs.
 */
export function judgeVisit(
  { failing_since }: Pick<JudgedLink, "failing_since">,
  visited: Visit,
  now: Date,
): JudgedLink {
  const later = (ms: number) => ({ checked_at: now, check_at: new Date(now.getTime() + ms) });
  const reason = reasonOf(visited);
  if (reason === null) {
    const works = visited.kind === "answered" && visited.status < 400;
    return { state: works ? "works" : "unclear", reason, failing_since: null, ...later(WEEK_MS) };
  }
  const since = failing_since ?? now;
  const isOld = now.getTime() - since.getTime() >= DAY_MS;
  const isDead = visited.kind === "answered" || isOld;
  return { state: isDead ? "dead" : "failing", reason, failing_since: since, ...later(isOld ? WEEK_MS : DAY_MS) };
}

function reasonOf(visited: Visit): LinkReason | null {
  if (visited.kind === "failed") return visited.reason;
  if (visited.kind === "unclear") return null;
  return visited.status === 404 ? "not_found" : visited.status === 410 ? "removed" : null;
}
