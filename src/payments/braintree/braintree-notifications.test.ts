import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import braintree from "braintree";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BraintreeFixture, startBraintreeFixture } from "#test/braintree-fixture.ts";
import type { Charged } from "../provider.ts";

let fixture: BraintreeFixture;
beforeAll(async () => {
  fixture = await startBraintreeFixture();
});
afterAll(() => fixture.stop());

/** The official SDK, which signs samples with the same keys. */
const sdk = new braintree.BraintreeGateway({
  environment: braintree.Environment.Sandbox,
  merchantId: "simulator",
  publicKey: "simulator_public",
  privateKey: "simulator_private",
});

/** What its types lack or declare differently. */
type Webhooks = {
  sampleNotification(kind: string, id: string): Promise<{ bt_signature: string; bt_payload: string }>;
  sampleSignature(payload: string): string;
};
const webhooks = sdk.webhookTesting as unknown as Webhooks;

async function sample(kind: string, id = "abc123") {
  const { bt_signature, bt_payload } = await webhooks.sampleNotification(kind, id);
  return { signature: bt_signature, payload: bt_payload };
}

test.each(["transaction_settled", "transaction_settlement_declined", "transaction_disbursed"])(
  "REL-1: a signed %s names its transaction",
  async (kind) => {
    expect(await fixture.connect().readNotification(await sample(kind))).toEqual({ kind, transactionId: "abc123" });
  },
);

test.each(["dispute_opened", "dispute_won", "dispute_lost"])(
  "REL-1: a signed %s names the disputed payment",
  async (kind) => {
    const read = await fixture.connect().readNotification(await sample(kind));
    expect(read).toEqual({ kind, transactionId: expect.stringMatching(/^\w+$/) });
  },
);

test("a notice about something else is accepted, and names no transaction", async () => {
  expect(await fixture.connect().readNotification(await sample("check"))).toEqual({
    kind: "check",
    transactionId: null,
  });
});

test("REL-1: a notice that is missing, changed or not signed by Braintree is null", async () => {
  const { signature, payload } = await sample("transaction_settled");
  const signed = (text: string) => {
    const encoded = Buffer.from(text).toString("base64");
    return { signature: webhooks.sampleSignature(encoded), payload: encoded };
  };
  const changed = Buffer.from(Buffer.from(payload, "base64").toString().replace("abc123", "abc124")).toString("base64");
  const bad = [
    { signature, payload: changed },
    { signature: signature.replace(/.$/, (last) => (last === "0" ? "1" : "0")), payload },
    { signature: signature.split("|")[1]!, payload },
    { signature: "simulator_public|", payload },
    { signature: "", payload },
    { signature, payload: "" },
    { signature, payload: "<xml>" },
    signed("no XML at all"),
    signed("<other/>"),
    signed("<notification><kind>transaction_settled</kind></notification>"),
    {} as { signature: string; payload: string },
  ];
  for (const notice of bad) expect(await fixture.connect().readNotification(notice)).toBeNull();
  const stranger = fixture.connect({ privateKey: "another" });
  expect(await stranger.readNotification({ signature, payload })).toBeNull();
});

test("REL-1: the simulator's own notifications are read, spoilt ones are not", async () => {
  const { transactionId } = (await fixture.connect().charge(await fixture.prepareCharge())) as Charged;
  const read: unknown[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", async () => {
      const form = new URLSearchParams(body);
      const notice = { signature: form.get("bt_signature")!, payload: form.get("bt_payload")! };
      read.push(await fixture.connect().readNotification(notice));
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const wanted = { kind: "transaction_settled", transactionId, url } as const;
  await fixture.simulator.notify(wanted);
  await fixture.simulator.notify({ ...wanted, kind: "dispute_opened" });
  await fixture.simulator.notify({ ...wanted, spoil: "signature" });
  await fixture.simulator.notify({ ...wanted, spoil: "payload" });
  receiver.close().closeAllConnections();
  expect(read).toEqual([
    { kind: "transaction_settled", transactionId },
    { kind: "dispute_opened", transactionId },
    null,
    null,
  ]);
});

test("a challenge is answered as the SDK answers it, and anything else is not", () => {
  const { answerChallenge } = fixture.connect();
  const challenge = "20f9f8ed05f77439fe955c977e4c8a53";
  const { verify } = sdk.webhookNotification as typeof sdk.webhookNotification & { verify(challenge: string): string };
  expect(answerChallenge(challenge)).toBe(verify.call(sdk.webhookNotification, challenge));
  for (const other of ["", "short", `${challenge}0`, challenge.toUpperCase(), `${challenge}\n`, "<script>"]) {
    expect(answerChallenge(other)).toBeNull();
  }
});
