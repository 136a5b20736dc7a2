import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { buildSiteWhenStale } from "#app/build.ts";
import { migrate } from "#database/migrate.ts";
import { seedDemo } from "#database/seed.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { seededRandom } from "#shared/seeded-random.ts";
import { controlSimulator } from "#simulators/control.ts";
import { addColumns } from "#test/added-columns.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { type ChildSite, createChildSite } from "#test/child-site.ts";
import { onDatabase } from "#test/database.ts";
import { checkOutRelease, whyNoRelease } from "#test/older-version.ts";
import { openSimulators } from "#test/simulators.ts";
import { makeTicketedEvent } from "#test/ticket-buyer.ts";
import { createScriptedDonor } from "./donor.ts";
import { createTicketClient } from "./ticket-client.ts";

/** The last release and this version on one database, while people give, buy tickets and read, each by either. */
const CLIENTS = 8;
const pages = ["/", "/donation", "/events", "/news", "/selectTickets", "/gallery", "/contact"];
const limits = { LIMITS_DECLINES: "1000000", LIMITS_BREAKER_PAYMENTS: "1000000", LIMITS_TICKET_HOLDS: "1000000" };

/** What a newer version may not do beside an older one. */
const rename = "alter table donations rename column first_name to given_name";

const missing = whyNoRelease();
let folder = "";
let release = "";
beforeAll(async () => {
  if (missing !== null) return console.log(missing);
  folder = mkdtempSync(join(tmpdir(), "two-versions-"));
  release = join(folder, "release");
  checkOutRelease(release);
  await buildSiteWhenStale(() => undefined);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Process = { readonly site: ChildSite; isUp: boolean; busy: number };

/** A new database that the last release made, with its demo. */
async function openDatabase(name: string) {
  const client = new pg.Client({ connectionString: inject("serverUrl") });
  await client.connect();
  await client.query(`create database ${name}`);
  const url = onDatabase(inject("serverUrl"), name);
  await migrate(url, { folder: join(release, "database/migrations") });
  const pool = createPool(url, () => undefined);
  const database = createDatabase(pool);
  await seedDemo(database);
  const { slug } = await makeTicketedEvent(database, { standard: { capacity: 1_000_000 } });
  const drop = async () => {
    await database.destroy();
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  };
  return { url, pool, slug, drop };
}

async function runBoth(name: string, { change, gifts }: { change: string; gifts: number }) {
  const dataDir = mkdtempSync(join(folder, `${name}-`));
  const [db, simulators] = await Promise.all([openDatabase(name), openSimulators(dataDir)]);
  const simulator = controlSimulator(simulators.url);
  const environment = { ...limits, PROVIDER_TIMEOUT_MS: "10000", CUSTOMER_WAIT_MS: "20000", LOG_LEVEL: "warn" };
  const settings = { databaseUrl: db.url, paywayUrl: simulator.paywayUrl, dataDir, environment, hasPages: true };
  const create = async (options: { name: string; folder?: string }): Promise<Process> => ({
    site: await createChildSite({ ...settings, ...options }),
    isUp: false,
    busy: 0,
  });
  const [older, newer] = [await create({ name: "older", folder: release }), await create({ name: "newer" })];
  const random = seededRandom(20_261_127);
  const failures: string[] = [];
  const counts = { gifts: 0, orders: 0, pages: 0, older: 0, newer: 0 };

  /** With a process that is up, by chance. */
  async function withProcess(work: (site: ChildSite) => Promise<unknown>) {
    const up = [older, newer].filter(({ isUp }) => isUp);
    const chosen = up[Math.floor(random() * up.length)]!;
    chosen.busy += 1;
    counts[chosen === older ? "older" : "newer"] += 1;
    await work(chosen.site).catch((error: Error) => failures.push(error.message));
    chosen.busy -= 1;
  }
  async function restart(one: Process) {
    one.isUp = false;
    while (one.busy > 0) await sleep(10);
    await one.site.stop();
    await one.site.start();
    one.isUp = true;
  }

  async function work(client: number) {
    const address = `198.51.100.${client + 1}`;
    const place = { paywayUrl: simulator.paywayUrl, address };
    const people = new Map(
      [older, newer].map(({ site: { url } }) => [
        url,
        {
          donor: createScriptedDonor({ ...place, url, random, onAnswer: (status) => noteStatus(status, url) }),
          buyer: createTicketClient({ ...place, url }),
        },
      ]),
    );
    for (; counts.gifts < gifts; ) {
      const nth = counts.gifts++;
      await withProcess(async ({ url }) => {
        const { donor } = people.get(url)!;
        const { donation, body } = await donor.prepare(`versions-${nth}`);
        const answer = await donor.post(donation, body);
        if (!answer.ok || answer.data.state !== "succeeded") failures.push(`gift: ${JSON.stringify(answer)}`);
      });
      if (nth % 10 === 0) await withProcess((site) => buy(people.get(site.url)!.buyer));
      await withProcess((site) => read(site.url + pages[nth % pages.length]!));
    }
  }
  function noteStatus(status: number, url: string) {
    if (status >= 500) failures.push(`${status} from ${url}`);
  }
  async function buy(buyer: ReturnType<typeof createTicketClient>) {
    const held = await buyer.hold(db.slug, [{ type: "standard", quantity: 1 }]);
    if (!held.ok) return void failures.push(`hold: ${JSON.stringify(held)}`);
    const paid = await buyer.pay(held.data, buyer.bodyOf(held.data, await buyer.solve()));
    counts.orders += 1;
    if (!paid.ok) failures.push(`order: ${JSON.stringify(paid)}`);
  }
  async function read(url: string) {
    const response = await fetch(url);
    await response.arrayBuffer();
    counts.pages += 1;
    if (!response.ok) failures.push(`page: ${response.status} ${url}`);
  }

  try {
    await restart(older);
    const working = Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
    const after = async (share: number) => {
      while (counts.gifts < gifts * share) await sleep(20);
    };
    await after(0.2);
    await migrate(db.url);
    await db.pool.query(change);
    await restart(newer);
    await after(0.5);
    await restart(older);
    await after(0.7);
    await restart(newer);
    await working;
    const books = faultsOf(await compareBooks(db.pool, await simulator.listLedger()));
    const logs = [older, newer].map(({ site }) => readFileSync(site.logFile, "utf8")).join("");
    return { failures, counts, books, logs };
  } finally {
    counts.gifts = gifts;
    for (const { site } of [older, newer]) await site.kill();
    await Promise.all([db.drop(), simulators.stop()]);
  }
}

test("UPG-6: the last release and this version take 1,000 gifts, orders and readers on one database, whatever is added to it, with restarts of both", async ({
  skip,
}) => {
  if (missing !== null) skip(missing);
  const { failures, counts, books, logs } = await runBoth("versions_added", { change: addColumns, gifts: 1000 });
  console.log(JSON.stringify(counts));
  expect(failures).toEqual([]);
  expect(books).toEqual(noFaults);
  expect(logs).not.toContain('"level":50');
  expect(Math.min(counts.older, counts.newer)).toBeGreaterThan(300);
  expect(counts.orders).toBeGreaterThanOrEqual(100);
});

test("UPG-6, negative control: a renamed column makes both fail", async ({ skip }) => {
  if (missing !== null) skip(missing);
  const { failures } = await runBoth("versions_renamed", { change: rename, gifts: 40 }).catch((error: Error) => ({
    failures: [error.message],
  }));
  expect(failures.length).toBeGreaterThan(0);
});
