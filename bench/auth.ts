import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sendEmails } from "#app/emails.ts";
import { createLog } from "#app/main.ts";
import { buildServer } from "#app/server.ts";
import { createServices } from "#app/services.ts";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { MADE_PASSWORD, makeUser } from "#database/factories.ts";
import { listMigrations, migrate } from "#database/migrate.ts";
import { readConfig } from "#shared/config/config.ts";
import { hashPassword } from "#shared/sessions/passwords.ts";
import { createVisitor, type Visitor } from "#test/site.ts";
import { median } from "./processes.ts";
import { type BenchRow, printTable } from "./table.ts";

/** The allowed range of the ratio of medians, known address to unknown. */
const bounds = [0.9, 1.1] as const;
const PAIRS = 600;
const WARM_UP = 30;
const GUESSES = 10_000;
const MAX_TRIED = 10;
const CONCURRENCY = 16;

const folder = mkdtempSync(join(tmpdir(), "bench-auth-"));
const server = await startEmbeddedDatabase({ dataDir: folder });
await migrate(server.url);
const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: "silent", CAPTCHA_COST: "1" });
const services = await createServices({ config, databaseUrl: server.url, log: createLog("silent") });
const app = await buildServer(services, { latestMigration: listMigrations().at(-1)! });
// Emails are written at the same time, as on the site.
await services.jobs.work("emails", sendEmails(services));
const todaysHash = await hashPassword(MADE_PASSWORD);
const faults: string[] = [];

let places = 0;
/** A new network address. */
const newAddress = () => `10.${(places >> 16) & 255}.${(places >> 8) & 255}.${places++ & 255}`;

/** Many addresses through one browser: guessers differ only in where they come from. */
function post(visitor: Visitor, path: string, body: object, remoteAddress: string) {
  const headers = { ...visitor.identity, "content-type": "application/json" };
  return app.inject({ method: "POST", url: `/api${path}`, headers, payload: JSON.stringify(body), remoteAddress });
}

type Side = "known" | "unknown";

/** The medians for known and unknown addresses, in turn, so that a slow moment affects both. */
async function compare(
  what: string,
  ask: (email: string) => Promise<{ statusCode: number }>,
  expected: number,
): Promise<BenchRow> {
  const times: Record<Side, number[]> = { known: [], unknown: [] };
  const members = await Promise.all(Array.from({ length: PAIRS + WARM_UP }, makeMember));
  for (const [pair, member] of members.entries()) {
    const emails = { known: member.email, unknown: `user-${randomUUID()}@example.com` };
    const order: Side[] = pair % 2 === 0 ? ["known", "unknown"] : ["unknown", "known"];
    for (const side of order) {
      const begun = performance.now();
      const { statusCode } = await ask(emails[side]);
      if (statusCode !== expected) throw new Error(`${what} answered ${statusCode}.`);
      if (pair >= WARM_UP) times[side].push(performance.now() - begun);
    }
  }
  const [ours, reference] = [median(times.known), median(times.unknown)];
  const ratio = ours / reference;
  const isWithin = ratio >= bounds[0] && ratio <= bounds[1];
  if (!isWithin) faults.push(`${what}: ${ratio.toFixed(3)} is not between ${bounds.join(" and ")}`);
  return { what: `${what}, known address`, ours, reference, unit: "ms", to: "an unknown address" };
}

/** A user whose password has a current hash. */
function makeMember() {
  return makeUser(services.database, { password_hash: todaysHash });
}

/**
 * Guesses an account's password while its owner keeps logging in from a known device. Returns how many guesses were tried.
 */
async function guess(what: string, addressOf: () => string): Promise<number> {
  const { email } = await makeMember();
  const owner = await createVisitor(app, newAddress());
  const logIn = () => owner.post("/api/login", { email, password: MADE_PASSWORD });
  const guesser = await createVisitor(app, newAddress());
  if ((await logIn()).code !== 200) throw new Error("The owner could not log in at first.");
  const counts = new Map<number, number>();
  let owned = 0;
  for (let nth = 0; nth < GUESSES; nth += CONCURRENCY) {
    const batch = Array.from({ length: Math.min(CONCURRENCY, GUESSES - nth) }, (_, index) =>
      post(guesser, "/login", { email, password: `guess number ${nth + index}` }, addressOf()),
    );
    for (const { statusCode } of await Promise.all(batch)) counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1);
    if (nth % (CONCURRENCY * 25) === 0) {
      if ((await logIn()).code === 200) owned += 1;
      else faults.push(`${what}: the owner was locked out after ${nth} guesses`);
    }
  }
  const tried = counts.get(401) ?? 0;
  if (tried > MAX_TRIED) faults.push(`${what}: ${tried} guesses were tried`);
  const elsewhere = await createVisitor(app, newAddress());
  const credentials = { email, password: MADE_PASSWORD };
  const { effort } = await elsewhere.post("/api/login", credentials);
  const captcha = await elsewhere.solveCaptcha("login", effort);
  const { code } = await elsewhere.post("/api/login", { ...credentials, captcha });
  if (code !== 200) faults.push(`${what}: the owner was locked out on a new device`);
  const told = [...counts].map(([status, count]) => `${count} × ${status}`).join(", ");
  process.stdout.write(
    `${GUESSES} guesses ${what}: ${told}; the owner logged in ${owned} times, and on a new device with a captcha of effort ${effort}\n`,
  );
  return tried;
}

try {
  const asker = await createVisitor(app, newAddress());
  const wrong = { password: "not the password" };
  const rows = [
    await compare("log-in", (email) => post(asker, "/login", { email, ...wrong }, newAddress()), 401),
    await compare("/password/email", (email) => post(asker, "/password/email", { email }, newAddress()), 200),
  ];
  const begun = performance.now();
  const oneAddress = newAddress();
  rows.push(
    {
      what: "tried without a captcha, from one address",
      ours: await guess("from one address", () => oneAddress),
      unit: "",
    },
    {
      what: "tried without a captcha, from many addresses",
      ours: await guess("from many addresses", newAddress),
      unit: "",
    },
  );
  if (performance.now() - begun > config.limits.logins.windowSeconds * 1000) {
    faults.push("the guessing took longer than one window, so its counts say nothing");
  }
  printTable(rows);
  for (const fault of faults) process.stdout.write(`BROKEN  ${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await app.close();
  await services.payments.finish();
  await services.jobs.stop();
  await services.database.destroy();
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
