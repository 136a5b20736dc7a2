import { judgeVisit } from "#features/content/server/external-links/judge-visit.ts";
import { takeInLinks } from "#features/content/server/external-links/take-in-links.ts";
import type { Services } from "../services.ts";

/** Of the demo's page about the organisation in the world. */
const HOST = "maps.example";
const DAY_MS = 86_400_000;

/** One link is broken, as if links had been checked for weeks: a demo asks nobody on the internet. */
export async function addDeadLink({ database }: Pick<Services, "database">, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await takeInLinks(database, now);
  const judged = judgeVisit({ failing_since: daysAgo(12) }, { kind: "failed", reason: "no_host" }, daysAgo(4));
  await database.updateTable("external_links").set(judged).where("host", "=", HOST).execute();
}
