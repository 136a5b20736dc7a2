import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { controlSimulator } from "#simulators/control.ts";
import { addColumns } from "#test/added-columns.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { createChildSite } from "#test/child-site.ts";
import { createTestDatabase } from "#test/database.ts";
import { openSimulators } from "#test/simulators.ts";
import { makeTicketedEvent } from "#test/ticket-buyer.ts";
import { createScriptedDonor } from "./donor.ts";
import { createTicketClient } from "./ticket-client.ts";

/** Enough that what every gift and order asks is prepared on each connection in use. */
const EACH = 30;

// Beside the source of the last release: two-versions.long.test.ts.
test("UPG-4, UPG-6: gifts and orders go on in a process that runs while a newer version adds a column to every table", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "added-columns-"));
  const [db, simulators] = await Promise.all([createTestDatabase(), openSimulators(dataDir)]);
  const { paywayUrl, listLedger } = controlSimulator(simulators.url);
  const environment = { LIMITS_TICKET_HOLDS: "1000", LIMITS_BREAKER_PAYMENTS: "1000", LOG_LEVEL: "warn" };
  const site = await createChildSite({ databaseUrl: db.url, paywayUrl, dataDir, environment });
  try {
    const { slug } = await makeTicketedEvent(db.database, { standard: { capacity: 1000 } });
    await site.start();
    const place = { url: site.url, paywayUrl, address: "198.51.100.7", random: () => 0.4 };
    const [donor, buyer] = [createScriptedDonor(place), createTicketClient(place)];
    const answers: unknown[] = [];
    const work = async (nth: number) => {
      const { donation, body } = await donor.prepare(`added-${nth}`);
      const given = await donor.post(donation, body);
      const held = await buyer.hold(slug, [{ type: "standard", quantity: 1 }]);
      if (!held.ok) return void answers.push(held);
      const paid = await buyer.pay(held.data, buyer.bodyOf(held.data, await buyer.solve()));
      for (const answer of [given, paid]) if (!answer.ok || answer.status !== 200) answers.push(answer);
    };
    for (let nth = 0; nth < EACH; nth += 1) await work(nth);
    await db.pool.query(addColumns);
    for (let nth = EACH; nth < 2 * EACH; nth += 1) await work(nth);
    expect(answers).toEqual([]);
    expect(faultsOf(await compareBooks(db.pool, await listLedger()))).toEqual(noFaults);
  } finally {
    await site.kill();
    await Promise.all([db.stop(), simulators.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
