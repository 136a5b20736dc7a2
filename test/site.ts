import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { AdminBuild } from "#app/admin/mount-admin.ts";
import { createLog } from "#app/main.ts";
import { buildServer } from "#app/server.ts";
import { createServices, type Services } from "#app/services.ts";
import { listMigrations } from "#database/migrate.ts";
import { readConfig } from "#shared/config/config.ts";
import type { Send } from "#shared/contract/call.ts";
import { controlSimulator, createNonce, type TypedCard, testCards, tokenise } from "#simulators/control.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { openSimulators } from "./simulators.ts";
import { solveCaptcha } from "./solve-captcha.ts";

export type TestSite = Awaited<ReturnType<typeof openTestSite>>;

/** A clock that a test moves. */
type TestClock = { now(): Date; advance(milliseconds: number): void };

function createClock(): TestClock {
  let shift = 0;
  return {
    now: () => new Date(Date.now() + shift),
    advance: (milliseconds) => {
      shift += milliseconds;
    },
  };
}

/** Settings for a site whose provider hangs: every other answer must then come within 1.5 s, on a busy machine too. */
export const shortProviderWait = { PROVIDER_TIMEOUT_MS: "1500", BRAINTREE_TIMEOUT_MS: "1500" } as const;

/**
 * The whole server with its own database and simulators over real HTTP; it opens no port, requests go through `inject`.
 * `environment` overrides settings. Circuits open only if `CIRCUIT_FAILURES` is set: most faults here concern one payment,
 * and the next test needs the provider. `now` replaces the clock that a test moves; `openBank` replaces the simulators in
 * the test's process, which share its clock; `openDatabase` replaces the copy of the template; `adminBuild` adds the back
 * office.
 */
export async function openTestSite(
  environment: Record<string, string> = {},
  {
    now,
    openBank = openSimulators,
    openDatabase = createTestDatabase,
    adminBuild,
  }: {
    now?: () => Date;
    openBank?: typeof openSimulators;
    openDatabase?: () => Promise<TestDatabase>;
    adminBuild?: () => Promise<AdminBuild>;
  } = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), "almoner-site-"));
  const [db, simulators] = await Promise.all([openDatabase(), openBank(dataDir)]);
  const config = readConfig({
    DATA_DIR: dataDir,
    CAPTCHA_COST: "1",
    LOG_LEVEL: "silent",
    PROVIDER_TIMEOUT_MS: "10000",
    BRAINTREE_TIMEOUT_MS: "10000",
    CUSTOMER_WAIT_MS: "20000",
    CIRCUIT_FAILURES: "100000",
    LIMITS_ACCOUNTS: "100000",
    PAYWAY_URL: `${simulators.url}/payway/rest/v1`,
    BRAINTREE_URL: simulators.url,
    ...environment,
  });
  const clock = createClock();
  const services: Services = await createServices({
    config,
    databaseUrl: db.url,
    log: createLog(config.logLevel),
    now: now ?? clock.now,
  });
  const app = await buildServer(services, {
    latestMigration: listMigrations().at(-1)!,
    ...(adminBuild && { adminBuild }),
  });
  return {
    app,
    services,
    clock,
    config,
    database: db.database,
    pool: db.pool,
    simulator: controlSimulator(simulators.url),
    /** Makes a card token, as the card frame does in the browser. */
    cardToken: (card: TypedCard = testCards.approved) => tokenise(config.payway.url, card),
    visitor: (address?: string) => createVisitor(app, address),
    /** What a donor's browser sends: a fresh token, a solved captcha, a key. */
    async give(visitor: Visitor, { card, changes = {}, key = newKey() }: Donation = {}) {
      const token = await tokenise(config.payway.url, card ?? testCards.approved);
      const body = wirePayment(token, await visitor.solveCaptcha(), changes);
      return { body, key, answer: await visitor.post("/api/payway-payment", body, key) };
    },
    /** The same by PayPal, with the nonce of an approval. */
    async givePayPal(visitor: Visitor, { kind = "paypal", changes = {}, key = newKey() }: PayPalDonation = {}) {
      const nonce = await createNonce(simulators.url, { kind });
      const body = wirePayPalPayment(nonce, await visitor.solveCaptcha(), changes);
      return { body, key, answer: await visitor.post("/api/payment", body, key) };
    },
    /** Moves the clock and runs sweeper and reconciler until nothing is open or the steps run out. */
    async settleOpen(stepMs = 6000, steps = 12) {
      for (let step = 0; step < steps; step += 1) {
        clock.advance(stepMs);
        await services.payments.tick(clock.now());
        const open = await db.pool.query(
          "select 1 from payment_attempts where state in ('submitting','unknown','processing')",
        );
        if (open.rowCount === 0) return;
      }
    },
    async close() {
      await app.close();
      await services.payments.finish();
      await services.jobs.stop();
      await services.readingDatabase.stop();
      await services.database.destroy();
      await db.stop();
      await simulators.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

type NonceKind = NonNullable<NonNullable<Parameters<typeof createNonce>[1]>["kind"]>;
type PayPalDonation = { kind?: NonceKind; changes?: Record<string, unknown>; key?: { "idempotency-key": string } };
type Donation = { card?: TypedCard; changes?: Record<string, unknown>; key?: { "idempotency-key": string } };

export type Visitor = Awaited<ReturnType<typeof createVisitor>>;

/** A browser without a screen: keeps cookies, and sends the forgery token back as the page does. */
export async function createVisitor(app: FastifyInstance, address = "203.0.113.7") {
  const cookies = new Map<string, string>();
  const identity = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    "x-xsrf-token": cookies.get("XSRF-TOKEN") ?? "",
  });
  const ask = async (request: {
    method?: string;
    url: string;
    headers?: Record<string, string>;
    payload?: string | Buffer;
  }) => {
    const headers = { ...identity(), ...request.headers };
    const method = (request.method ?? "GET") as "POST";
    const response = await app.inject({ ...request, method, headers, remoteAddress: address });
    for (const { name, value, maxAge, expires } of response.cookies) {
      const isOver = maxAge === 0 || (expires !== undefined && expires.getTime() <= Date.now());
      if (isOver) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const send: Send = async ({ method, url, body, headers }) => {
    const sent =
      body === undefined ? { headers } : { headers: { "content-type": "application/json", ...headers }, payload: body };
    const response = await ask({ method, url, ...sent });
    return { status: response.statusCode, text: response.body };
  };
  await ask({ url: "/api/checkout" });
  return {
    /** The headers that identify the visitor. */
    get identity() {
      return identity();
    },
    /** The browser's cookies, by name. */
    cookies,
    send,
    /** Sends any request with this browser's cookies; returns the whole response. */
    ask,
    solveCaptcha: async (action = "donate", effort = 1) =>
      solveCaptcha((await ask({ url: `/api/captcha?action=${action}&effort=${effort}` })).json()),
    /** Posts any body as JSON and reads the envelope. */
    async post(path: string, body: unknown, headers: Record<string, string> = {}) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const response = await send({ method: "POST", url: path, body: text, headers });
      return { status: response.status, ...JSON.parse(response.text) };
    },
  };
}

/** A wire payload of the specification's shape: $100 of Zakat by card, fees on, total $106.58; `changes` replace fields. */
export function wirePayment(token: string, captcha: string | undefined, changes: Record<string, unknown> = {}) {
  return {
    singleUseTokenId: token,
    amount: 106.58,
    donorName: "Amina Raza",
    donor_first_name: "Amina",
    donor_last_name: "Raza",
    donor_email: "amina@example.com",
    donorEmail: "amina@example.com",
    donationType: "Zakat",
    source: "web",
    user_id: 0,
    payment_method: "PAYWAY",
    payment_type: "Credit Card",
    item_details: JSON.stringify([
      {
        donation_type: "Zakat",
        donation_type_option: "",
        quantity: 1,
        donation_amount: 100,
        net_donation_amount: 100,
        admin_fee_amount: 5,
        merchant_fee: 1.58,
        donation_shared_name: "",
      },
    ]),
    postal_code: "2144",
    is_anonymous: false,
    ...(captcha === undefined ? {} : { captcha }),
    ...changes,
  };
}

/** The same by PayPal: its fee is 3 %, so the total is $108.15. */
export function wirePayPalPayment(nonce: string, captcha: string | undefined, changes: Record<string, unknown> = {}) {
  const { singleUseTokenId: _, item_details, ...rest } = wirePayment("", captcha);
  const [line] = JSON.parse(item_details);
  return {
    braintree_nonce: nonce,
    payload: { nonce, type: "PayPalAccount" },
    ...rest,
    amount: 108.15,
    payment_method: "braintree",
    payment_type: "PAYPAL",
    item_details: JSON.stringify([{ ...line, merchant_fee: 3.15 }]),
    ...changes,
  };
}

/** The header of a new submission. */
export const newKey = () => ({ "idempotency-key": randomUUID() });
