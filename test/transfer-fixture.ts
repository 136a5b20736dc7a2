import { refundCommand } from "#app/commands/refund.ts";
import { reopenCommand } from "#app/commands/reopen.ts";
import { makePasskey, makeStaff, makeUser } from "#database/factories.ts";
import { seedDemo } from "#database/seed.ts";
import { listTables, withClient } from "#database/transfer/tables.ts";
import { runWithin } from "./run-command.ts";
import type { TestSite } from "./site.ts";
import { createBuyer, makeTicketedEvent } from "./ticket-buyer.ts";

/** Demo content with pictures, donations, a refund, tickets, people, and emails that wait. */
export async function fillSite(site: TestSite): Promise<void> {
  await seedDemo(site.database);
  const donor = await site.visitor();
  await site.give(donor);
  await site.give(donor);
  await runWithin(site.services, refundCommand, ["R-000001", "--amount", "12.50"], 1);
  const event = await makeTicketedEvent(site.database);
  await createBuyer(site, donor).book(event.slug, [{ type: "standard", quantity: 2 }]);
  const user = await makeUser(site.database, { first_name: "Zoë \\ \t\n\r", last_name: "علی" });
  await makePasskey(site.database, user.id);
  await makeStaff(site.database);
}

/** The rows and their sum of each table, to be compared with those of another database. */
export function sumTables(url: string): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    const sums: Record<string, string> = {};
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query(
        `select count(*) || ' ' || coalesce(md5(string_agg(sum, '' order by sum)), '') as sum
           from (select md5(each::text) as sum from ${name} as each) as sums`,
      );
      sums[name] = rows[0].sum;
    }
    return sums;
  });
}

/** Opens a paused site to which nothing was sent since. */
export const reopen = (site: TestSite) => runWithin(site.services, reopenCommand, ["--last-receipt", "none"], 2);
