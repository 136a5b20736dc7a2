import { allRoles, hasRight, type Right, rights } from "#admin/rights.ts";
import { isolate } from "#admin/search.ts";
import type { Connection } from "#shared/database/connect.ts";
import { formatList } from "#shared/language.ts";

const MOST_NAMES = 3;

/** What somebody without a right is told: what they need, and who can give it. */
export async function describeMissingRight(connection: Connection, right: Right): Promise<string> {
  const administrators = allRoles.filter((role) => hasRight({ roles: [role] }, "staff.change"));
  const people = await connection
    .selectFrom("staff")
    .select("name")
    .where("state", "=", "active")
    .where("roles", "&&", (where) => where.val(administrators))
    .orderBy("name")
    .limit(MOST_NAMES)
    .execute();
  const names = people.map(({ name }) => isolate(name));
  const who = names.length === 0 ? "Whoever runs the server" : formatList(names, "or");
  return `You need the right ‘${rights[right]}’. ${who} can give you this right.`;
}
