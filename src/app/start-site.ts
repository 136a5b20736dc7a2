import { existsSync } from "node:fs";
import type { FastifyBaseLogger } from "fastify";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { listMigrations, migrate } from "#database/migrate.ts";
import { type Config, namedHost, readConfig } from "#shared/config/config.ts";
import { isConnectTimeout, throwExplained } from "#shared/database/explain-error.ts";
import { nameSources } from "#shared/logging/name-sources.ts";
import { type RunningSimulators, startSimulators } from "#simulators/start.ts";
import type { RunningSite, SiteOptions } from "./main.ts";

if (existsSync(".env")) process.loadEnvFile(".env");
const environment = { ...process.env };

const print = (line: string) => isStopping || process.stdout.write(`${line}\n`);
let log: FastifyBaseLogger | undefined;
type Stoppable = { stop(): Promise<unknown> };
/** What was started, and what is being started. */
const started: Promise<Stoppable>[] = [];
const signals = ["SIGTERM", "SIGINT"] as const;
/** Whether a signal came before the site was open, or the start has failed. What fails from then on is not explained. */
let isStopping = false;

function stopLater<Started extends Stoppable>(starting: Promise<Started>): Promise<Started> {
  started.push(starting);
  return starting;
}

/** Stops what was started, once that is possible, last first, even if one of them fails. */
async function stopAll() {
  for (const each of (await Promise.allSettled(started.splice(0))).reverse()) {
    if (each.status === "fulfilled") await each.value.stop().catch((error: Error) => print(error.message));
  }
}

/** What has been opened hears that the database stops, which is no news. */
function silence() {
  isStopping = true;
  if (log !== undefined) log.level = "silent";
}

/** The database and the simulators would run on without this process. */
async function stopEarly() {
  print("Stopping …");
  silence();
  await stopAll();
  process.exit(0);
}

type StartOptions = {
  /** Resolves once the pages are built. */
  readonly build?: () => Promise<void>;
  readonly announce?: (config: Config, site: RunningSite) => unknown;
} & Pick<SiteOptions, "buildFolder" | "addRoutes">;

/** Starts everything the site needs. Exits the process if it can't start. */
export async function startSite({
  build = async () => {},
  announce = announceAddresses,
  ...options
}: StartOptions = {}) {
  nameSources();
  for (const signal of signals) process.once(signal, stopEarly);
  try {
    const config = readConfig(environment);
    // Loading the site's modules takes half of the start and blocks this process, so the others are launched first.
    const database = launch((onLaunched) => openDatabase(config, onLaunched));
    const simulators = launch((onLaunched) => openSimulators(config, onLaunched));
    const launched = Promise.all([database.launched, simulators.launched]);
    const built = launched.then(build);
    built.catch(() => {}); // Not unhandled: adding the pages waits for it and fails with it.
    const modules = launched.then(() => import("./main.ts"));
    // If one fails, the others are stopped, but not halfway.
    await Promise.allSettled([database.ready, simulators.ready, modules]);
    const [databaseUrl, { closeOnSignal, createLog, openSite }, running] = await Promise.all([
      database.ready,
      modules,
      simulators.ready,
    ]);
    if (isStopping) return;
    const latestMigration = listMigrations().at(-1)!;
    const prepare = (services: RunningSite["services"]) => addYear(services, running);
    log = createLog(config.logLevel);
    const site = await openSite(config, { databaseUrl, latestMigration, log, built, prepare, ...options });
    started.push(Promise.resolve({ stop: site.close }));
    for (const signal of signals) process.off(signal, stopEarly);
    closeOnSignal(site.services, stopAll);
    await announce(config, site);
  } catch (error) {
    await explain(error as Error);
  }
}

/** `launched` resolves once the process is launched, or has failed to start. */
function launch<Result>(start: (onLaunched: () => void) => Promise<Result>) {
  const launched = Promise.withResolvers<void>();
  return { launched: launched.promise, ready: start(launched.resolve).finally(launched.resolve) };
}

/** The address of the database, up to date and with content. */
async function openDatabase(config: Config, onLaunched: () => void): Promise<string> {
  const url = config.databaseUrl ?? (await openEmbeddedDatabase(config, onLaunched));
  onLaunched();
  const prepare = () => prepareDatabase(config, url);
  // While this process loads modules, it may miss an answer that came in time.
  await prepare()
    .catch((error) => (isConnectTimeout(error) ? prepare() : Promise.reject(error)))
    .catch(throwExplained);
  return url;
}

async function openEmbeddedDatabase({ dataDir, archiveDir }: Config, onLaunched: () => void): Promise<string> {
  const { url } = await stopLater(startEmbeddedDatabase({ dataDir, archiveDir, log: print, onLaunched }));
  return url;
}

async function prepareDatabase(config: Config, databaseUrl: string) {
  const { databaseUrl: external, dataDir, isDemo } = config;
  const startOver = external
    ? "Set DATABASE_URL to an empty database."
    : `Delete the folder ${dataDir}, then start again.`;
  const applied = await migrate(databaseUrl, { startOver, ...(isDemo ? {} : { beforeContract: backUpFirst }) });
  if (applied.length === listMigrations().length) print("Tables created in the empty database");
  else if (applied.length > 0) print(`Database brought up to date: ${applied.join(", ")}`);
  await (isDemo ? addDemoContent(databaseUrl) : beginNewSite(databaseUrl));

  async function backUpFirst(contract: string) {
    const { backUpBefore } = await import("#database/backup/before-contract.ts");
    const file = await backUpBefore(contract, config);
    if (file !== null) print(`Before ${contract}, the database was backed up to ${file}`);
  }
}

/** Null on a site that is no demo, which has none. */
async function openSimulators({ isDemo, simulatorPort: port, dataDir }: Config, onLaunched: () => void) {
  if (!isDemo) return null;
  return stopLater(startSimulators({ port, dataDir, log: print, onLaunched }));
}

/** Before the site opens, so that the first visitor doesn't find it empty. */
async function addDemoContent(databaseUrl: string) {
  const { createDatabase, createPool } = await import("#shared/database/connect.ts");
  const { seedDemo } = await import("#database/seed.ts");
  const { addDemoStaff } = await import("#database/demo-staff.ts");
  const database = createDatabase(createPool(databaseUrl, (error) => print(error.message)));
  if (await seedDemo(database)) print("Demo content added to the empty database");
  await addDemoStaff(database);
  await database.destroy();
}

/** An empty site waits for its administrators before visitors see it. */
async function beginNewSite(databaseUrl: string) {
  const { createDatabase, createPool } = await import("#shared/database/connect.ts");
  const { beginSetUp } = await import("#features/settings/server/set-up.ts");
  const database = createDatabase(createPool(databaseUrl, (error) => print(error.message)));
  await beginSetUp(database);
  await database.destroy();
}

async function addYear(services: RunningSite["services"], simulators: RunningSimulators | null): Promise<void> {
  // A provider's own test facility would not have that year's payments.
  const { payway, braintree } = services.config;
  if (simulators === null || ![payway, braintree].every(({ url }) => url.startsWith(simulators.url))) return;
  // Before what draws the year is loaded, sharp among it.
  const known = await services.database.selectFrom("donations").select("id").limit(1).executeTakeFirst();
  if (known !== undefined) return;
  const { addDemoYear } = await import("./demo/add-demo-year.ts");
  const { bookPast } = await import("#simulators/book-past.ts");
  // Discards the payments that a killed start left on the simulators’ books, unless the simulators are not ours.
  const book = (payments: Parameters<typeof bookPast>[1]) =>
    bookPast(simulators.url, payments, { startsOver: simulators.isOwner });
  if (await addDemoYear(services, book)) print("A year of invented donations added");
}

async function announceAddresses(config: Config, { app, services }: RunningSite) {
  const address = app.server.address();
  const port = typeof address === "object" ? address?.port : config.port;
  const site = `http://${namedHost(config.host)}:${port}`;
  print(`\nThe site is at   ${site}/`);
  print(`The API is at    ${site}/api/docs`);
  if (services.setUp.current()?.isOpen === false) {
    print("Visitors see a page that says that the site is being set up, until an administrator opens it.");
    print(`Set it up at     ${config.publicUrl}/admin`);
    print("                 (the first administrator: npm run staff -- invite EMAIL administrator)\n");
  }
  if (!config.isDemo) return;
  if (config.mail.smtpUrl === undefined) print(`Its mailbox is   ${site}/dev/mail`);
  const { describeDemoLink } = await import("#features/staff/server/demo-link.ts");
  const staff = await describeDemoLink(services);
  if (staff !== null) print(staff);
  print("Cards to try     4564 7100 0000 0004, 02/29, 847 is approved; 5163 2000 0000 0016, 12/29, 728 is declined");
  print("                 (no money moves: payments are simulated; more cards in simulators/README.md)\n");
}

const adviceOnPort: Readonly<Record<string, string>> = {
  EADDRINUSE: "Stop what runs there, or set PORT.",
  EACCES: "Set PORT to 1024 or more, and let a reverse proxy answer at the usual ones.",
  EADDRNOTAVAIL: "This machine does not have the address in HOST: correct it, or leave it out.",
  ENOTFOUND: "HOST is no address of this machine: correct it, or leave it out.",
};

async function explain(error: NodeJS.ErrnoException) {
  if (isStopping) return;
  const advice = adviceOnPort[error.code ?? ""];
  const isOnListening = error.syscall === "listen" || error.syscall === "getaddrinfo";
  const reason = advice !== undefined && isOnListening ? `${error.message}. ${advice}` : error.message;
  process.stderr.write(`The site did not start. ${reason}\n`);
  silence();
  await stopAll();
  process.exit(1);
}
