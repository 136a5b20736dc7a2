import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestSite, type TestSite } from "#test/site.ts";

const path = "/api/webhooks/braintree";
const form = { "content-type": "application/x-www-form-urlencoded" };
const lines: string[] = [];
let site: TestSite;
let url: string;
beforeAll(async () => {
  site = await openTestSite({ LOG_LEVEL: "trace" });
  Object.assign(site.services.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
  await site.app.listen({ port: 0, host: "127.0.0.1" });
  url = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}${path}`;
});
afterAll(() => site.close());
beforeEach(() => {
  lines.length = 0;
});

async function givenByPayPal() {
  const { answer } = await site.givePayPal(await site.visitor());
  expect(answer.code).toBe("200");
  const { rows } = await site.pool.query("select id, provider_transaction_id from payment_attempts where id = $1", [
    answer.data.id,
  ]);
  return { id: rows[0].id as string, transactionId: rows[0].provider_transaction_id as string };
}
const nextCheck = async (id: string) =>
  (await site.pool.query("select next_check_at from payment_attempts where id = $1", [id])).rows[0].next_check_at;

test("DON-19, REL-1: after a signed notice the payment is looked up soon, and five copies of it do no more than one", async () => {
  const { id, transactionId } = await givenByPayPal();
  expect(await nextCheck(id)).toBeNull();
  const wanted = { kind: "transaction_settled", transactionId, url, times: 5 } as const;
  expect((await site.simulator.notify(wanted)).statuses).toEqual([200, 200, 200, 200, 200]);
  expect((await nextCheck(id)).getTime()).toBeLessThanOrEqual(site.clock.now().getTime());
  await site.services.payments.tick(site.clock.now());
  const look = (await site.app.inject(`/api/payments/${id}`)).json().data;
  expect(look.state).toBe("succeeded");
  const { rowCount } = await site.pool.query("select 1 from payment_events where attempt_id = $1", [id]);
  expect(rowCount).toBe(2);
});

test("DON-19, REL-1: a notice whose signature or payload was spoilt is 403, changes nothing and is noted without its content", async () => {
  const { id, transactionId } = await givenByPayPal();
  for (const spoil of ["signature", "payload"] as const) {
    const wanted = { kind: "dispute_lost", transactionId, url, spoil } as const;
    expect((await site.simulator.notify(wanted)).statuses).toEqual([403]);
  }
  expect(await nextCheck(id)).toBeNull();
  const notes = lines.filter((line) => line.includes('"security":"bad_signature"'));
  expect(notes).toHaveLength(2);
  expect(lines.join("")).not.toContain(transactionId);
});

test("API-11: anything but a notice is refused with its reason: no signature, another type, too large", async () => {
  const post = (payload: string, headers: Record<string, string> = form) =>
    site.app.inject({ method: "POST", url: path, headers, payload });
  for (const body of ["", "bt_signature=x", "bt_payload=x", "bt_signature=%00&bt_payload=%ff", "a=b&a=b"]) {
    const answer = await post(body);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ status: "false", error: "bad_signature" });
  }
  expect((await post("{}", { "content-type": "application/json" })).json()).toMatchObject({ error: "wrong_type" });
  expect((await post(`bt_payload=${"x".repeat(70_000)}`)).json()).toMatchObject({ error: "too_large" });
});

test("DON-19: the control panel's challenge is answered as text, and anything else is refused", async () => {
  const challenge = "20f9f8ed05f77439fe955c977e4c8a53";
  const answer = await site.app.inject(`${path}?bt_challenge=${challenge}`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-type"]).toMatch("text/plain");
  expect(answer.body).toMatch(new RegExp(`^${site.config.braintree.publicKey}\\|[0-9a-f]{40}$`));
  for (const query of ["", "?bt_challenge=", "?bt_challenge=a%0d%0ab", "?bt_challenge=x&bt_challenge=y"]) {
    expect((await site.app.inject(path + query)).statusCode, query).toBe(400);
  }
});

test("REL-1: a notice never touches a payment that is being sent, nor one of another provider", async () => {
  const { id, transactionId } = await givenByPayPal();
  await site.pool.query("update payment_attempts set state = 'submitting' where id = $1", [id]);
  await site.simulator.notify({ kind: "transaction_settled", transactionId, url });
  expect(await nextCheck(id)).toBeNull();
  await site.pool.query("update payment_attempts set state = 'succeeded', provider = 'payway' where id = $1", [id]);
  expect((await site.simulator.notify({ kind: "transaction_settled", transactionId, url })).statuses).toEqual([200]);
  expect(await nextCheck(id)).toBeNull();
});
