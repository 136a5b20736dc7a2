import type { Database } from "#shared/database/connect.ts";

/** One of each role. `npm start` prints a link that logs in the first. */
const people = [
  { name: "Priya Nair", email: "priya.nair@example.org", roles: ["administrator"] },
  { name: "Graeme Whitford", email: "graeme.whitford@example.org", roles: ["treasurer"] },
  { name: "Claire Donnelly", email: "claire.donnelly@example.org", roles: ["editor"] },
  { name: "Leila Haddad", email: "leila.haddad@example.org", roles: ["auditor"] },
] as const;

/** Adds invented people to the back office of a demonstration site that has none. Returns whether it did. */
export async function addDemoStaff(database: Database): Promise<boolean> {
  if (process.env.PAYMENTS === "live") throw new Error("Demo staff cannot be added to a site with PAYMENTS=live.");
  if ((await database.selectFrom("staff").select("id").limit(1).executeTakeFirst()) !== undefined) return false;
  const created_at = new Date();
  const rows = people.map(({ roles, ...person }) => ({
    ...person,
    roles: [...roles],
    state: "active" as const,
    created_at,
  }));
  // Two processes may start at the same time.
  await database
    .insertInto("staff")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
}
