import { expect, test } from "vitest";
import { z } from "zod";
import { call, type Send } from "./call.ts";
import { accepted, refused, replyStatus, stillProcessing } from "./envelope.ts";
import { Dollars } from "./fields.ts";
import { route } from "./route.ts";
import { onWire } from "./wire.ts";

const Line = onWire(z.object({ unitCents: Dollars, note: z.string().optional() }), { unitCents: "donation_amount" });
const Donation = onWire(z.object({ lines: z.array(Line), firstName: z.string().min(1, "First Name is required") }), {
  lines: "item_details",
  firstName: "donor_first_name",
});

test("API-1: our names become the wire's and come back as ours, at every depth", () => {
  const donation = { firstName: "Amina", lines: [{ unitCents: 1050, note: "x" }] };
  const wire = { donor_first_name: "Amina", item_details: [{ donation_amount: 10.5, note: "x" }] };
  expect(z.encode(Donation, donation)).toEqual(wire);
  expect(z.decode(Donation, wire)).toEqual(donation);
});

test("API-7: errors are under the wire's names", () => {
  const bad = Donation.safeDecode({ donor_first_name: "", item_details: [{ donation_amount: 1.005 }] });
  expect(bad.error?.issues.map(({ path }) => path.join("."))).toEqual([
    "item_details.0.donation_amount",
    "donor_first_name",
  ]);
});

test("DON-18: undeclared fields are dropped, prototypes included", () => {
  const wire = JSON.parse(
    '{"donor_first_name":"A","item_details":[],"__proto__":{"isAdmin":true},"firstName":"B","x":1}',
  );
  const donation = z.decode(Donation, wire);
  expect(Object.keys(donation).sort()).toEqual(["firstName", "lines"]);
  expect(donation.firstName).toBe("A");
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

test("API-7: an answer's status follows from its content", () => {
  expect(replyStatus(accepted({}))).toBe(200);
  expect(replyStatus(refused("not_allowed"))).toBe(403);
  expect(replyStatus(refused("not_found"))).toBe(404);
  expect(replyStatus(stillProcessing({}, "Please wait."))).toBe(202);
});

const donateCall = route({
  method: "POST",
  path: "/gifts/{id}",
  summary: "Gives",
  params: z.object({ id: z.string() }),
  body: Donation,
  data: onWire(z.object({ cents: Dollars }), { cents: "amount" }),
});
const input = { params: { id: "a/b" }, body: { firstName: "Amina", lines: [] } };
const answerWith =
  (status: number, body: unknown): Send =>
  async () => ({ status, text: typeof body === "string" ? body : JSON.stringify(body) });

test("API-7: a call encodes its request, decodes its answer, and escapes its parameters", async () => {
  const sent: unknown[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    return { status: 200, text: '{"code":"200","status":"true","message":"Done","data":{"amount":"5.00"}}' };
  };
  expect(await call(send, donateCall, input)).toEqual({ ok: true, status: 200, message: "Done", data: { cents: 500 } });
  const body = '{"item_details":[],"donor_first_name":"Amina"}';
  expect(sent).toEqual([{ method: "POST", url: "/api/gifts/a%2Fb", body, headers: {} }]);
});

test("API-7: refusals keep their name, their fields and their data", async () => {
  const refusal = {
    code: "422",
    status: "false",
    message: "No.",
    error: "invalid_input",
    data: { amount: ["Too small"] },
  };
  expect(await call(answerWith(422, refusal), donateCall, input)).toMatchObject({
    ok: false,
    fields: { amount: ["Too small"] },
  });
  const decline = { code: "402", status: "false", message: "No.", error: "payment_declined", data: { amount: 5 } };
  expect(await call(answerWith(402, decline), donateCall, input)).toMatchObject({
    ok: false,
    status: 402,
    data: { cents: 500 },
  });
});

test.each([
  ["an HTML error page", 502, "<h1>Bad gateway</h1>"],
  ["an empty answer", 200, ""],
  ["JSON that is no envelope", 200, { ok: true }],
])("DON-16: %s counts as no answer, never as a refusal", async (_, status, body) => {
  expect(await call(answerWith(status, body), donateCall, input)).toMatchObject({
    ok: false,
    status: 0,
    error: "no_answer",
  });
});

test("DON-16: a broken connection counts as no answer", async () => {
  const broken: Send = () => Promise.reject(new TypeError("fetch failed"));
  expect(await call(broken, donateCall, input)).toMatchObject({ ok: false, status: 0, error: "no_answer" });
});
