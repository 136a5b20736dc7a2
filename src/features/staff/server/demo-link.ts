import type { FastifyRequest } from "fastify";
import { recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Admitted } from "./hand-over-session.ts";
import { findInvitation, issueInvitation, spendInvitation } from "./invitations.ts";
import { isAdministrator } from "./people/administrators.ts";
import { actorOf, type StaffServices } from "./services.ts";

export const demoLinkPath = (token: string): string => `/admin/sign-in/${token}`;

/**
 * A link that logs in the first administrator, once, within an hour. Null without an administrator, or if the site
 * takes real money.
 */
export async function makeDemoLink({
  database,
  config,
  now,
}: Pick<StaffServices, "database" | "config" | "now">): Promise<string | null> {
  if (!config.isDemo) return null;
  const administrator = await database
    .selectFrom("staff")
    .select("id")
    .where("state", "=", "active")
    .where(isAdministrator)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (administrator === undefined) return null;
  return `${config.publicUrl}${demoLinkPath(await issueInvitation(database, administrator.id, "demo", now()))}`;
}

/**
 * The line with the link that a demo prints at its start; null without an administrator, or if the site takes real
 * money. If the database is too busy, the site starts anyway, and a command prints a link later.
 */
export async function describeDemoLink(services: Parameters<typeof makeDemoLink>[0]): Promise<string | null> {
  try {
    const link = await makeDemoLink(services);
    if (link === null) return null;
    return `Staff: ${link}\n                 (the back office, as its administrator; it works once, within an hour)`;
  } catch (error) {
    return `Staff: no link, because of an error: ${(error as Error).message}. \`npm run staff\` says how to make one.`;
  }
}

/** Begins the session that a demo's link opens; null if the link no longer works. */
export async function useDemoLink(
  { config, database, staffSessions, now }: StaffServices,
  token: string,
  request: FastifyRequest,
): Promise<Admitted | null> {
  if (!config.isDemo || (await findInvitation(database, token, now()))?.kind !== "demo") return null;
  const at = now();
  return database.transaction().execute(async (transaction: Connection) => {
    const link = await spendInvitation(transaction, token, at);
    if (link === null) return null;
    const staff = await transaction
      .selectFrom("staff")
      .select(["id", "name", "email"])
      .where("id", "=", link.staffId)
      .where("state", "=", "active")
      .executeTakeFirst();
    if (staff === undefined) return null;
    const act = { verb: "staff.log-in", subject: "staff", subjectId: String(staff.id), after: { way: "demo link" } };
    await recordAct(transaction, actorOf(staff, request), act, at);
    return { email: staff.email, token: await staffSessions.begin(transaction, staff.id, request) };
  });
}
