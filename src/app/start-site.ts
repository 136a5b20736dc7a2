import { existsSync } from "node:fs";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { listMigrations, migrate } from "#database/migrate.ts";
import { seedDemo } from "#database/seed.ts";
import { type Config, readConfig } from "#shared/config.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { startSimulators } from "#simulators/start.ts";
import { buildSiteWhenStale } from "./build.ts";
import { closeOnSignal, openSite, type Site } from "./main.ts";

if (existsSync(".env")) process.loadEnvFile(".env");
const environment = { ...process.env };
// React is three times slower without it; a person's own setting wins.
process.env.NODE_ENV ??= "production";

const say = (line: string) => process.stdout.write(`${line}\n`);
const stops: (() => Promise<unknown>)[] = [];

/** Ends what was started, the last first, each whether or not the one before ended well. */
async function stopAll() {
  for (const stop of stops.splice(0).reverse()) await stop().catch((error: Error) => say(error.message));
}

async function start() {
  const config = readConfig(environment);
  await buildSiteWhenStale(say);
  const databaseUrl = await openDatabase(config);
  await Promise.all([prepareDatabase(config, databaseUrl), openSimulators(config)]);
  const site = await openSite(config, { databaseUrl, latestMigration: listMigrations().at(-1)! });
  stops.push(site.close);
  closeOnSignal(site.services.log, stopAll);
  announce(config, site);
}

async function openDatabase({ databaseUrl, dataDir }: Config): Promise<string> {
  if (databaseUrl !== undefined) return databaseUrl;
  const embedded = await startEmbeddedDatabase({ dataDir, log: say });
  stops.push(embedded.stop);
  return embedded.url;
}

async function prepareDatabase({ isLive }: Config, databaseUrl: string) {
  const applied = await migrate(databaseUrl);
  if (applied.length > 0) say(`Database brought up to date: ${applied.join(", ")}`);
  if (!isLive) await addDemoContent(databaseUrl);
}

async function openSimulators({ isLive, simulatorPort: port, dataDir }: Config) {
  if (isLive) return;
  const simulators = await startSimulators({ port, dataDir, log: say });
  stops.push(simulators.stop);
}

/** Before the site opens: whoever looks at once must not find it empty. */
async function addDemoContent(databaseUrl: string) {
  const database = createDatabase(createPool(databaseUrl, (error) => say(error.message)));
  if (await seedDemo(database)) say("Demo content added to the empty database");
  await database.destroy();
}

function announce(config: Config, { app }: Site) {
  const address = app.server.address();
  const port = typeof address === "object" ? address?.port : config.port;
  say(`\nThe site is at   http://${config.host}:${port}/`);
  say(`The calls are at http://${config.host}:${port}/api/docs`);
  if (config.isLive) return;
  if (config.mail.smtpUrl === undefined) say(`Its mailbox is   http://${config.host}:${port}/dev/mail`);
  say("Cards to try     4564 7100 0000 0004, 02/29, 847 is approved; 5163 2000 0000 0016, 12/29, 728 is declined");
  say("                 (no money moves: payments are simulated; more cards in simulators/README.md)\n");
}

start().catch(async (error: Error) => {
  const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
  const reason = isTaken ? `${error.message}. Stop what runs there, or set PORT.` : error.message;
  process.stderr.write(`The site did not start. ${reason}\n`);
  await stopAll();
  process.exit(1);
});
