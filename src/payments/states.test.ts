import { expect, test } from "vitest";
import { stateAfter } from "./decide.ts";
import type { ChargeOutcome } from "./provider.ts";
import { eventOf, moves, type PaymentState, shownAs } from "./states.ts";

const states = Object.keys(moves) as PaymentState[];
const final: PaymentState[] = ["refunded"];

test("DON-22: every pair of states is either a named move or refused, and no move leaves a final state", () => {
  for (const from of states) {
    for (const to of states) {
      const event = eventOf(from, to);
      expect(event === undefined || /^[a-z]+(_[a-z]+)+$/.test(event), `${from} → ${to}`).toBe(true);
    }
    expect(Object.keys(moves[from]).length === 0, from).toBe(final.includes(from));
  }
  expect(eventOf("succeeded", "failed")).toBeUndefined();
  expect(eventOf("succeeded", "unknown")).toBeUndefined();
  expect(eventOf("failed", "succeeded")).toBeUndefined();
  expect(eventOf("unknown", "submitting")).toBeUndefined();
});

test("REL-1: every outcome leads to a legal move, and only proof ends an unknown payment", () => {
  const charged = {
    transactionId: "1",
    status: "",
    responseCode: null,
    amountCents: 1,
    paidCents: 1,
    currency: "AUD",
    orderReference: "P",
    raw: null,
  };
  const outcomes: ChargeOutcome[] = [
    { kind: "succeeded", ...charged },
    { kind: "processing", ...charged },
    { kind: "declined", transactionId: null, status: "", responseCode: null, raw: null },
    { kind: "not_charged", reason: "", mayRetry: false },
    { kind: "unknown", reason: "", mayResend: false },
  ];
  for (const from of ["submitting", "unknown", "processing", "failed", "not_found"] as const) {
    for (const outcome of outcomes) {
      const to = stateAfter(from, outcome);
      expect(to === undefined || eventOf(from, to) !== undefined, `${from} and ${outcome.kind} gives ${to}`).toBe(true);
    }
  }
  expect(stateAfter("submitting", outcomes[4]!)).toBe("unknown");
  expect(stateAfter("unknown", outcomes[4]!)).toBeUndefined();
  expect(stateAfter("unknown", outcomes[3]!)).toBeUndefined();
  expect(stateAfter("not_found", outcomes[0]!)).toBe("succeeded_late");
});

test("API-13: a payer is never told 'failed' while the payment may still be charged", () => {
  for (const state of ["submitting", "unknown", "processing", "created"] as const)
    expect(shownAs[state]).toBe("processing");
});
