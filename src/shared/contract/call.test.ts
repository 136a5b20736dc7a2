import { describe, expect, test } from "vitest";
import { z } from "zod";
import { call, noAnswer, type Send } from "./call.ts";
import { Dollars } from "./fields.ts";
import { route } from "./route.ts";

const donateCall = route({
  method: "POST",
  path: "/give/{id}",
  summary: "For this test",
  params: z.object({ id: z.uuid() }),
  body: z.object({ amountCents: Dollars }),
  data: z.object({ totalCents: Dollars }),
});
const id = "0b6e7b8a-6a53-4f5c-9a55-3f5a4ce1a001";

/** Calls a server that answers `text`; with the requests it received. */
async function callWith(text: string, amountCents: number, status = 200) {
  const sent: Parameters<Send>[0][] = [];
  const send: Send = async (request) => {
    sent.push(request);
    return { status, text };
  };
  return { answer: await call(send, donateCall, { params: { id }, body: { amountCents } }), sent };
}
const succeeded = (data: unknown) => JSON.stringify({ code: "200", status: "true", message: "", data });

describe("a call never throws (API-7, DON-16)", () => {
  test("API-7: an answer is decoded", async () => {
    const { answer, sent } = await callWith(succeeded({ totalCents: 10.5 }), 1050);
    expect(answer).toMatchObject({ ok: true, data: { totalCents: 1050 } });
    expect(sent).toHaveLength(1);
  });

  test("API-7, DON-16: a success that cannot be decoded counts as no answer, because money may have moved", async () => {
    for (const text of [
      succeeded({ totalCents: "much" }),
      succeeded(null),
      succeeded(undefined),
      "",
      "<html>",
      "null",
    ]) {
      const message = "Something went wrong on our side. Please try again in a few minutes.";
      expect((await callWith(text, 1050)).answer, text).toEqual({ ...noAnswer, message });
    }
  });

  test("DON-16: a request that cannot be encoded is refused and not sent", async () => {
    const { answer, sent } = await callWith(succeeded({ totalCents: 10 }), Number.NaN);
    expect(answer).toMatchObject({ ok: false, status: 422, error: "invalid_input" });
    expect(sent).toEqual([]);
  });
});
