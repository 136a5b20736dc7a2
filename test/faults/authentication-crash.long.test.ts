import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticationCrashPoints } from "#payments/crash-points.ts";
import { testCards, tokenise } from "#simulators/control.ts";
import { newKey, wirePayment } from "#test/site.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";
import { type CrashFixture, openCrashFixture } from "./crash-fixture.ts";

const [authenticated] = authenticationCrashPoints;
let fixture: CrashFixture;

beforeAll(async () => {
  fixture = await openCrashFixture("authentication-crash");
});
afterAll(() => fixture.stop());

/** A server with 3-D Secure, and a donor whose card has this name. */
async function begin(name: string, cardName: string) {
  const { paywayUrl } = fixture.simulator;
  const environment = {
    PAYWAY_3DS: "on",
    // A lease of six seconds: two tries of at most two seconds, and two more.
    PROVIDER_TIMEOUT_MS: "1000",
    BRAINTREE_TIMEOUT_MS: "1000",
    // On a busy machine the simulator may need longer than a second, several times in a row.
    UNKNOWN_GIVE_UP_S: "150",
  };
  const { db, site } = await fixture.begin(name, environment);
  let forgery = "";
  const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(site.url + path, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: {
        "content-type": "application/json",
        cookie: `XSRF-TOKEN=${forgery}`,
        "x-xsrf-token": forgery,
        ...headers,
      },
    }).catch(() => undefined);
    forgery = /XSRF-TOKEN=([^;]+)/.exec(response?.headers.get("set-cookie") ?? "")?.[1] ?? forgery;
    return response?.json();
  };
  const prepare = async () => {
    const token = await tokenise(paywayUrl, { ...testCards.approved, name: cardName, threeDS2: true });
    return { token, body: wirePayment(token, await solveCaptcha(await ask("/api/captcha"))), key: newKey() };
  };
  const charges = async () => {
    const { rows } = await db.pool.query("select order_reference from payment_attempts");
    const ours = rows.map(({ order_reference }) => order_reference);
    return (await fixture.simulator.listLedger()).filter(({ orderReference }) => ours.includes(orderReference)).length;
  };
  return { site, db, ask, prepare, charges };
}

async function untilSettled(lookUp: () => Promise<{ data: { state: string; message: string } }>) {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const answer = await lookUp();
    if (["succeeded", "failed"].includes(answer.data.state) || Date.now() > deadline) return answer;
    await sleep(500);
  }
}

const confirm = (token: string) =>
  fetch(`${fixture.simulator.paywayUrl}/single-use-tokens/${token}/challenge`, {
    method: "POST",
    body: new URLSearchParams({ choice: "confirm" }),
  });

test.concurrent("DON-18, REL-1: killed after the bank's yes and before the charge is sent, the payment is cancelled uncharged, and the donor can donate again", async () => {
  const { site, ask, prepare, charges } = await begin("frictionless", "3DS-Y");
  await site.start({ CRASH_POINT: authenticated });
  const { body, key } = await prepare();
  await ask("/api/payway-payment", body, key);
  expect(await site.hasDied(), "the server dies").toBe(true);
  await site.start();
  // Still being looked up or, if the restart took longer than the lease, already cancelled.
  const copy = await ask("/api/payway-payment", body, key);
  expect(["processing", "failed"]).toContain(copy.data.state);
  const { data } = await untilSettled(() => ask(`/api/payments/${copy.data.id}`));
  expect(data).toMatchObject({ state: "failed" });
  expect(await ask("/api/payway-payment", body, key)).toMatchObject({ code: "402" });
  expect(await charges()).toBe(0);
  const again = await prepare();
  expect(await ask("/api/payway-payment", again.body, again.key)).toMatchObject({ code: "200" });
  expect(await charges()).toBe(1);
});

const points = [
  ["sending", "processing"],
  [`${authenticated}:2`, "action_required"],
] as const;

test.concurrent.each(points)(
  "DON-18, DON-22: killed at '%s' after a passed challenge, repeating the request charges once",
  async (point, standsAt) => {
    const { site, ask, prepare, charges } = await begin(`challenge-${point.replace(":", "-")}`, "3DS-C");
    await site.start({ CRASH_POINT: point });
    const { body, key, token } = await prepare();
    const { data } = await ask("/api/payway-payment", body, key);
    expect(data.state).toBe("action_required");
    await confirm(token);
    await ask("/api/payway-3ds", { id: data.id });
    expect(await site.hasDied(), "the server dies").toBe(true);
    await site.start();
    const stood = (await ask(`/api/payments/${data.id}`)).data.state;
    expect([standsAt, "succeeded"]).toContain(stood);
    const answers = await Promise.all([1, 2, 3].map(() => ask("/api/payway-3ds", { id: data.id })));
    for (const answer of answers) expect(["200", "202"]).toContain(answer.code);
    const settled = await untilSettled(() => ask(`/api/payments/${data.id}`));
    expect(settled.data.state).toBe("succeeded");
    expect(await charges()).toBe(1);
    expect(await ask("/api/payway-payment", body, key)).toMatchObject({ code: "200", data: { id: data.id } });
  },
);
