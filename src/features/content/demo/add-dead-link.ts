import type { Database } from "#shared/database/connect.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { judgeVisit } from "../server/external-links/judge-visit.ts";
import { takeInLinks } from "../server/external-links/take-in-links.ts";

/** Of the demo's page about the organisation in the world. */
const HOST = "maps.example";

type Services = { readonly database: Database };

/** One link is broken, as if links had been checked for weeks: a demo asks nobody on the internet. */
export async function addDeadLink({ database }: Services, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await takeInLinks(database, now);
  const judged = judgeVisit({ failing_since: daysAgo(12) }, { kind: "failed", reason: "no_host" }, daysAgo(4));
  await database.updateTable("external_links").set(judged).where("host", "=", HOST).execute();
}
