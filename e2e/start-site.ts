import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { buildSiteWhenStale } from "#app/build.ts";
import { findPostmaster } from "#database/embedded/postmaster.ts";
import { databaseUrl } from "#database/embedded/presence.ts";
import { makePlace } from "#database/embedded/server.ts";

const root = join(import.meta.dirname, "..");
const READY_WITHIN_MS = 180_000;
const STOPPED_WITHIN_MS = 20_000;

/** Short waits, an easy captcha, and limits too high for test cards and messages to reach. */
const settings = {
  CAPTCHA_COST: "1",
  LIMITS_DECLINES: "1000",
  LIMITS_BREAKER_PAYMENTS: "100000",
  LIMITS_MESSAGES: "1000",
  LIMITS_APPLICATIONS: "1000",
  LIMITS_ACCOUNTS: "1000",
  LIMITS_TICKET_HOLDS: "1000",
  PROVIDER_TIMEOUT_MS: "1500",
  CUSTOMER_WAIT_MS: "2500",
  UNKNOWN_GIVE_UP_S: "8",
  SETTLE_TICK_MS: "500",
  BRAINTREE_TIMEOUT_MS: "1500",
  // Some journeys make the provider fail while others run.
  CIRCUIT_FAILURES: "100000",
  LOG_LEVEL: "warn",
};
/** What live sites have: a host name, which passkeys need; Braintree's own scripts, answered by the journeys; 3-D Secure. */
const asLive = {
  host: "localhost",
  PAYWAY_3DS: "on",
  BRAINTREE_SCRIPTS_URL: "https://js.braintreegateway.com/web/3.144.0/js",
};
/** Blank means unset, so that a developer's own settings do not reach the tests. */
const unset = {
  DATABASE_URL: "",
  PAYWAY_URL: "",
  PAYWAY_3DS: "",
  PAYPAL: "",
  BRAINTREE_URL: "",
  BRAINTREE_SCRIPTS_URL: "",
  SMTP_URL: "",
  CAPTCHA_PROVIDER: "",
  PAYMENTS: "",
};

/** Two sites for all journeys, each with its own ports and data folder. */
export default async function startSites(): Promise<() => Promise<void>> {
  await buildSiteWhenStale((line) => process.stdout.write(`${line}\n`));
  const starting = [startSite({}, { hasDemoYear: true }), startSite(asLive)] as const;
  const [usual, live] = await Promise.all(starting).catch(async (cause) => {
    for (const site of await Promise.allSettled(starting)) if (site.status === "fulfilled") await site.value.stop();
    throw cause;
  });
  process.env.JOURNEY_SITE = usual.url;
  process.env.JOURNEY_SIMULATOR = usual.simulatorUrl;
  process.env.JOURNEY_DATABASE = usual.databaseUrl;
  process.env.JOURNEY_SECRET = usual.secretKey;
  process.env.JOURNEY_LIVE_SITE = live.url;
  process.env.JOURNEY_LIVE_SIMULATOR = live.simulatorUrl;
  process.env.JOURNEY_LIVE_DATABASE = live.databaseUrl;
  return async () => {
    await Promise.all([usual.stop(), live.stop()]);
  };
}

export type JourneySite = Awaited<ReturnType<typeof startSite>>;

/** Starts one site. With a journey's own, what it changes for everybody disturbs no other journey. */
export async function startSite(
  { host = "127.0.0.1", ...own }: Record<string, string>,
  { hasDemoYear = false }: { hasDemoYear?: boolean } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "almoner-journeys-"));
  const logFile = join(folder, "site.log");
  const [port, simulatorPort] = await findFreePorts();
  const url = `http://${host}:${port}`;
  const simulatorUrl = `http://${host}:${simulatorPort}`;
  // A site whose providers are set gets no year of invented donations, which takes ten seconds.
  const providers = { PAYWAY_URL: `${simulatorUrl}/payway/rest/v1`, BRAINTREE_URL: simulatorUrl };
  const log = openSync(logFile, "a");
  const site = spawn(process.execPath, [join(root, "src/app/start.js")], {
    cwd: root,
    stdio: ["ignore", log, log],
    env: {
      ...process.env,
      ...unset,
      ...settings,
      ...own,
      ...(hasDemoYear ? {} : providers),
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PUBLIC_URL: url,
      PORT: String(port),
      SIMULATOR_PORT: String(simulatorPort),
      DATA_DIR: folder,
    },
  });
  closeSync(log);
  const stop = async () => {
    await end(site);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await untilReady(site, `${url}/readyz`);
  } catch (cause) {
    const said = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-10).join("\n");
    await stop();
    throw new Error(`The site did not start for the journeys. Its output:\n${said}`, { cause });
  }
  return {
    url,
    simulatorUrl,
    secretKey: readFileSync(join(folder, "secret-key"), "utf8").trim(),
    databaseUrl: databaseUrl(findPostmaster(makePlace(folder).data)!.socketDirectory),
    stop,
  };
}

async function untilReady(site: ChildProcess, address: string) {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (
    !(await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (site.exitCode !== null || site.signalCode !== null) throw new Error("The site ended before it was ready.");
    if (Date.now() > deadline) throw new Error("The site was not ready in time.");
    await pause(100);
  }
}

async function end(site: ChildProcess) {
  if (site.exitCode !== null || site.signalCode !== null) return;
  const ended = once(site, "exit");
  site.kill("SIGTERM");
  await Promise.race([ended, pause(STOPPED_WITHIN_MS, undefined, { ref: false })]);
  if (site.exitCode === null && site.signalCode === null) site.kill("SIGKILL");
}

async function findFreePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.push((server.address() as { port: number }).port);
  }
  for (const server of servers) server.close();
  return ports as [number, number];
}
