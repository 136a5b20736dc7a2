import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import braintree from "braintree";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { controlSimulator, type SimulatorControl } from "./control.ts";
import { type RunningSimulators, startSimulators } from "./start.ts";

const root = mkdtempSync(path.join(tmpdir(), "almoner-braintree-pages-"));
const PAYMENT = {
  amount: "108.15",
  currencyIsoCode: "AUD",
  intent: "sale",
  experienceProfile: { brandName: "Relief <b>& Co" },
};

let running: RunningSimulators;
let simulator: SimulatorControl;
let gateway: braintree.BraintreeGateway;

beforeAll(async () => {
  running = await startSimulators({ port: 0, dataDir: path.join(root, "data") });
  simulator = controlSimulator(running.url);
  const { hostname, port } = new URL(running.url);
  const environment = new braintree.Environment(hostname, port, running.url, false, hostname, port);
  const keys = { merchantId: "simulator", publicKey: "simulator_public", privateKey: "simulator_private" };
  gateway = new braintree.BraintreeGateway({ environment, ...keys });
});
beforeEach(() => simulator.clearFaults());
afterAll(async () => {
  await running.stop();
  rmSync(root, { recursive: true, force: true });
});

type ClientToken = { environment: string; authorizationFingerprint: string; configUrl: string };

async function readToken(): Promise<ClientToken> {
  const { clientToken } = await gateway.clientToken.generate({});
  return JSON.parse(Buffer.from(clientToken, "base64").toString("utf8"));
}

async function ask(method: string, rest: string, data: object) {
  const url = new URL(`${simulator.url}/braintree/merchants/simulator/client_api/v1/${rest}`);
  if (method === "GET") url.search = new URLSearchParams(data as Record<string, string>).toString();
  const response = await fetch(url, method === "GET" ? {} : { method, body: JSON.stringify(data) });
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's answers are checked field by field
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

/** Does what the SDK does before the window opens; returns the order's `EC-…`. */
async function beginPayment(fingerprint: string, changes: object = {}) {
  const data = { ...PAYMENT, ...changes, authorizationFingerprint: fingerprint };
  const answer = await ask("POST", "paypal_hermes/create_payment_resource", data);
  const redirectUrl = answer.body.paymentResource?.redirectUrl;
  return { ...answer, orderId: redirectUrl === undefined ? "" : new URL(redirectUrl).searchParams.get("token") };
}

async function choose(token: string | null, choice: string) {
  const response = await fetch(`${simulator.url}/braintree/approve`, {
    method: "POST",
    body: JSON.stringify({ token, choice }),
  });
  return { status: response.status, body: (await response.json()) as { paymentID: string; payerID: string } };
}

async function tokenise(fingerprint: string, paymentToken: string | null, payerId: string) {
  const paypalAccount = { paymentToken, payerId };
  return ask("POST", "payment_methods/paypal_accounts", { paypalAccount, authorizationFingerprint: fingerprint });
}

describe("the client API", () => {
  test("DON-19: a client token names the sandbox, and its configuration is one that the real SDK accepts", async () => {
    const { configUrl, environment, authorizationFingerprint } = await readToken();
    expect(environment).toBe("sandbox");
    expect(new URL(configUrl).pathname).toBe("/merchants/simulator/client_api/v1/configuration");
    const { status, headers, body } = await ask("GET", "configuration", { authorizationFingerprint });
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(body).toMatchObject({
      environment: "sandbox",
      paypalEnabled: true,
      paypal: { environmentNoNetwork: false },
    });
    for (const address of [body.clientApiUrl, body.assetsUrl, body.paypal.assetsUrl]) {
      expect(address).toMatch(/^https:\/\/[a-z.]+\.braintreegateway\.com[:/]?/);
    }
  });

  test("DON-19: only our client tokens are accepted, for a day", async () => {
    const { authorizationFingerprint } = await readToken();
    for (const wrong of ["", "x", `${authorizationFingerprint}0`, `z${authorizationFingerprint}`]) {
      expect(await ask("GET", "configuration", { authorizationFingerprint: wrong })).toMatchObject({ status: 401 });
    }
    await simulator.advance(24 * 3_600_000);
    expect(await ask("GET", "configuration", { authorizationFingerprint })).toMatchObject({ status: 401 });
  });

  test("DON-19: a page of another origin may send requests", async () => {
    const url = `${simulator.url}/braintree/merchants/simulator/client_api/v1/configuration`;
    const answer = await fetch(url, { method: "OPTIONS" });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-headers")).toBe("content-type");
    await simulator.installFault({ do: "configuration_403" });
    const { authorizationFingerprint } = await readToken();
    const refused = await ask("GET", "configuration", { authorizationFingerprint });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("a payment", () => {
  test("DON-19: approving it in the window gives one nonce, which the gateway charges", async () => {
    const { authorizationFingerprint: fingerprint } = await readToken();
    const { orderId } = await beginPayment(fingerprint);
    const { body } = await choose(orderId, "approved");
    const { paypalAccounts } = (await tokenise(fingerprint, body.paymentID, body.payerID)).body;
    expect(paypalAccounts).toMatchObject([{ type: "PayPalAccount" }]);
    const nonce = await gateway.paymentMethodNonce.find(paypalAccounts[0].nonce);
    expect(nonce).toMatchObject({ type: "PayPalAccount", consumed: false });
    const sale = await gateway.transaction.sale({
      amount: "108.15",
      orderId: "D-1",
      merchantAccountId: "simulator_aud",
      paymentMethodNonce: paypalAccounts[0].nonce,
      options: { submitForSettlement: true },
    });
    expect(sale).toMatchObject({ success: true, transaction: { orderId: "D-1" } });
    expect(await tokenise(fingerprint, body.paymentID, body.payerID)).toMatchObject({ status: 422 });
  });

  test("DON-19: there is no nonce without an approval, for another payment's approval, or for a second answer", async () => {
    const { authorizationFingerprint: fingerprint } = await readToken();
    const { orderId } = await beginPayment(fingerprint);
    expect(await tokenise(fingerprint, orderId, "SIMULATEDPAYER")).toMatchObject({ status: 422 });
    expect(await tokenise(fingerprint, "PAYID-0", "SIMULATEDPAYER")).toMatchObject({ status: 422 });
    expect(await choose(orderId, "approved")).toMatchObject({ status: 200 });
    expect(await choose(orderId, "fault")).toMatchObject({ status: 422 });
    expect(await tokenise(fingerprint, orderId, "SOMEBODYELSE")).toMatchObject({ status: 422 });
    expect(await tokenise(fingerprint, orderId, "SIMULATEDPAYER")).toMatchObject({ status: 201 });
  });

  test("DON-19: after 'Approve, then fault' the cents decide", async () => {
    const { authorizationFingerprint: fingerprint } = await readToken();
    const { orderId } = await beginPayment(fingerprint);
    const { body } = await choose(orderId, "fault");
    const { nonce } = (await tokenise(fingerprint, body.paymentID, body.payerID)).body.paypalAccounts[0];
    const sale = gateway.transaction.sale({ amount: "10.74", orderId: "D-2", paymentMethodNonce: nonce });
    await expect(sale).rejects.toMatchObject({ type: "serverError" });
  });

  test("DON-19: amounts, currencies and fault rules are refused as the SDK expects", async () => {
    const { authorizationFingerprint: fingerprint } = await readToken();
    for (const changes of [{ amount: "0.00" }, { amount: "1.234" }, { currencyIsoCode: "USD" }]) {
      expect(await beginPayment(fingerprint, changes)).toMatchObject({ status: 422 });
    }
    await simulator.installFault({ do: "create_payment_422", times: 1 });
    expect(await beginPayment(fingerprint)).toMatchObject({ status: 422 });
    expect(await beginPayment(fingerprint)).toMatchObject({ status: 201 });
  });
});

describe("the pages", () => {
  const get = (rest: string) => fetch(`${simulator.url}/braintree/${rest}`);

  test("DON-19: PayPal's window shows payee and amount under its own policy, and says if no payment is waiting", async () => {
    const { authorizationFingerprint: fingerprint } = await readToken();
    const { orderId } = await beginPayment(fingerprint);
    const page = await get(`approve?token=${orderId}`);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).toContain("Pay Relief &#60;b&#62;&#38; Co");
    expect(html).toContain("$108.15");
    expect(html).toContain("simulation");
    for (const [, file] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      expect((await fetch(new URL(file as string, page.url))).status).toBe(200);
    }
    await choose(orderId, "approved");
    const gone = await get(`approve?token=${orderId}`);
    expect(gone.status).toBe(404);
    expect(await gone.text()).toContain("No payment waits here");
  });

  test("DON-19: scripts are served under the SDK's names to other origins, unless a rule hides them", async () => {
    const names = ["client.min.js", "paypal-checkout.min.js", "paypal-sdk.js"];
    for (const name of names) {
      const script = await get(`js/${name}`);
      expect(script.status).toBe(200);
      expect(script.headers.get("content-type")).toContain("text/javascript");
      expect(script.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    }
    await simulator.installFault({ match: { provider: "braintree" }, do: "script_404" });
    await simulator.installFault({ match: { op: "paypal_script" }, do: "script_404" });
    expect(await Promise.all(names.map(async (name) => (await get(`js/${name}`)).status))).toEqual([404, 404, 404]);
    expect((await get("js/other.js")).status).toBe(404);
  });
});
