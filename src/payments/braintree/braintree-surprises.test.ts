import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BraintreeFixture, respond, startBraintreeFixture, written } from "#test/braintree-fixture.ts";
import { longTest } from "#test/long-test.ts";
import type { ChargeOutcome } from "../provider.ts";

let fixture: BraintreeFixture;
beforeAll(async () => {
  fixture = await startBraintreeFixture();
});
afterAll(() => fixture.stop());

const notCharged = (mayRetry: boolean) => ({ kind: "not_charged", mayRetry });
const unknown = () => ({ kind: "unknown", mayResend: false });

describe("we survive what the SDK does not", () => {
  const surprises: Record<string, (response: ServerResponse) => void> = {
    "an empty 200": (response) => respond(response, 200, ""),
    "an empty 201": (response) => respond(response, 201, ""),
    "spaces alone": (response) => respond(response, 200, "  \n "),
    "another root": (response) => respond(response, 201, "<maintenance><until>noon</until></maintenance>"),
    "an empty transaction": (response) => respond(response, 201, "<transaction/>"),
    "XML that is cut": (response) => respond(response, 201, "<transaction><id>abc"),
    "an HTML page": (response) => respond(response, 200, "<html><h1>Back soon</h1></html>", "text/html"),
    "HTML that is no XML": (response) => respond(response, 200, "<!doctype html><br><p>Back soon", "text/html"),
    "plain text": (response) => respond(response, 200, "OK", "text/plain"),
    "JSON that is none": (response) => respond(response, 200, "{oops", "application/json"),
    "JSON that is null": (response) => respond(response, 200, "null", "application/json"),
    "no content type": (response) => response.writeHead(200).end("what"),
    "bad gzip": (response) =>
      response.writeHead(200, { "content-type": "application/xml", "content-encoding": "gzip" }).end("nope"),
    "errors that are no list": (response) =>
      respond(response, 422, "<api-error-response><errors><errors>no</errors></errors></api-error-response>"),
    "an answer that breaks off": (response) => {
      response.writeHead(201, { "content-length": "500" }).write("<transaction>");
      setTimeout(() => response.destroy(), 20);
    },
    "an answer that drips and never ends": (response) => {
      response.writeHead(201, { "content-type": "application/xml" });
      const drip = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(drip));
    },
    "an answer that is far too large": (response) => {
      response.writeHead(201, { "content-type": "application/xml" });
      const chunk = "x".repeat(1_000_000);
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", pour);
      pour();
    },
  };

  const timeoutFor = (name: string) => (name.endsWith("never ends") ? 1500 : 20_000);

  test.each(Object.keys(surprises))("REL-1: %s is unknown, and nothing throws or waits for ever", async (name) => {
    const charge = await fixture.prepareCharge();
    const { url } = await fixture.sellAt(surprises[name]!);
    // The check of the nonce before the sale must be answered within the limit.
    expect(await fixture.connect({ url, timeoutMs: timeoutFor(name) }).charge(charge)).toMatchObject(unknown());
    // The same for the answer to a nonce check or a query: nothing charged, and a sentence.
    const deaf = await fixture.serve((_request, response) => surprises[name]!(response));
    const braintree = fixture.connect({ url: deaf, timeoutMs: 600 });
    expect(await braintree.charge(charge)).toMatchObject(notCharged(true));
    await expect(braintree.findByOrderReference("D1")).rejects.toThrow(/books cannot be read now/);
    await expect(braintree.createClientToken()).rejects.toThrow(
      /Braintree.*(BRAINTREE_|in time|too large|broke|cannot be read)/,
    );
  });

  longTest("REL-1: we hang up on an answer that never ends, and on one that is too large", async () => {
    for (const [name, reason] of [
      ["an answer that drips and never ends", "Braintree did not answer in time"],
      ["an answer that is far too large", "Braintree's answer is too large"],
    ] as const) {
      let isClosed = false;
      const { url } = await fixture.sellAt((response) => {
        response.on("close", () => {
          isClosed = true;
        });
        surprises[name]!(response);
      });
      const outcome = await fixture.connect({ url, timeoutMs: timeoutFor(name) }).charge(await fixture.prepareCharge());
      expect(outcome, name).toMatchObject({ ...unknown(), reason });
      await expect.poll(() => isClosed, { message: name }).toBe(true);
    }
  });

  test.each([
    { name: "refuses the connection", url: "http://127.0.0.1:1" },
    { name: "has no such name", url: "http://nowhere.invalid" },
    { name: "does not speak TLS", url: null },
  ])("REL-1: a gateway that $name has charged nothing", async ({ url }) => {
    const plain = await fixture.serve((_request, response) => response.end());
    const braintree = fixture.connect({ url: url ?? plain.replace("http:", "https:") });
    const outcome = await braintree.charge(await fixture.prepareCharge());
    expect(outcome).toMatchObject({ ...notCharged(true), reason: expect.stringContaining("cannot be reached") });
    await expect(braintree.checkCredentials()).rejects.toThrow(/cannot be reached/);
    await expect(braintree.findByOrderReference("D1")).rejects.toThrow(/books cannot be read now/);
  });

  test("REL-1: a connection that breaks once the sale is on its way leaves it open", async () => {
    const charge = await fixture.prepareCharge();
    const { url } = await fixture.sellAt((response) => response.socket?.destroy());
    expect(await fixture.connect({ url }).charge(charge)).toMatchObject(unknown());
  });

  test("DON-19: a stored answer has nothing that identifies the payer, and no nonce or key", async () => {
    const charge = await fixture.prepareCharge();
    const { url } = await fixture.sellAt((response) =>
      respond(
        response,
        201,
        written.sale(charge, {
          customer: "<customer><email>payer@example.com</email><first-name>Parisa</first-name></customer>",
          paypal:
            "<paypal><payer-email>payer@example.com</payer-email><payer-id>PAYERID1</payer-id><payer-first-name>Parisa</payer-first-name><payment-id>PAYID-1</payment-id><capture-id>CAP-1</capture-id></paypal>",
          nonce: `<payment-method-nonce>${charge.instrument}</payment-method-nonce>`,
        }),
      ),
    );
    const outcome = (await fixture.connect({ url }).charge(charge)) as Extract<ChargeOutcome, { raw: unknown }>;
    expect(outcome.raw).toMatchObject({ id: "abc123", paypalAccount: { paymentId: "PAYID-1", captureId: "CAP-1" } });
    const kept = JSON.stringify(outcome);
    for (const secret of ["payer@", "Parisa", "PAYERID1", charge.instrument, "simulator_private"]) {
      expect(kept).not.toContain(secret);
    }
  });
});
