import { type Right, rights } from "#admin/rights.ts";
import { isolate } from "#admin/search.ts";
import { listStaffWith } from "#admin/two-people.ts";
import type { Connection } from "#shared/database/connect.ts";
import { formatList } from "#shared/language.ts";

const MAX_NAMES = 3;

/** What somebody without a right is told: what they need, and who can give it. */
export async function describeMissingRight(connection: Connection, right: Right): Promise<string> {
  const people = (await listStaffWith(connection, "staff.change")).slice(0, MAX_NAMES);
  const names = people.map(({ name }) => isolate(name));
  const who = names.length === 0 ? "Whoever runs the server" : formatList(names, "or");
  return `You need the right ‘${rights[right]}’. ${who} can give you this right.`;
}
