import { describe, expect, test } from "vitest";
import type { Answer } from "#shared/contract/envelope.ts";
import type { MoneyOutcome } from "#shared/errors.ts";
import type { Payment } from "../contract.ts";
import { confirmPayment } from "./confirm-payment.ts";
import { isAboutMethod, neverArrived, type PaymentVerdict, readPaymentAnswer } from "./outcome.ts";

const id = crypto.randomUUID();
const payment = (state: Payment["state"]): Payment => ({ id, state, message: `It is ${state}` });
const success: Answer<Payment> = { ok: true, status: 200, message: "Thank you", data: payment("succeeded") };
const processing: Answer<Payment> = { ok: true, status: 200, message: "", data: payment("processing") };
const refusal = (status: number, error = "any", data?: Payment): Answer<Payment> => ({
  ok: false,
  status,
  error,
  message: `Said with ${status}`,
  ...(data === undefined ? {} : { data }),
});
const noAnswer = refusal(0);
const unknown = refusal(404, "not_found");

describe("an answer to a payment", () => {
  test("DON-16: 200 is a success, with its message", () => {
    expect(readPaymentAnswer(success)).toEqual({
      kind: "succeeded",
      id,
      message: "Thank you",
      reference: undefined,
      receiptUrl: undefined,
    });
  });

  test("DON-16: 402 is a failure, with its message", () => {
    expect(readPaymentAnswer(refusal(402))).toEqual({ kind: "failed", message: "Said with 402" });
  });

  test("DON-16: 202 is being confirmed, under the id it names", () => {
    expect(readPaymentAnswer(refusal(202, "payment_processing", payment("processing")))).toEqual({
      kind: "confirming",
      id,
    });
  });

  test("DON-18: 202 with action_required means that the card's bank asks", () => {
    const asked = refusal(202, "payment_processing", payment("action_required"));
    expect(readPaymentAnswer(asked)).toEqual({ kind: "challenge", id });
  });

  test("DON-13: a refusal because of the payment method is recognised as one", () => {
    const away = readPaymentAnswer(refusal(429, "provider_away"));
    expect(away.kind === "refused" && isAboutMethod(away)).toBe(true);
    const other = readPaymentAnswer(refusal(429, "too_many"));
    expect(other.kind === "refused" && isAboutMethod(other)).toBe(false);
  });

  test("DON-16: another 4xx is a refusal: nothing was sent", () => {
    for (const status of [400, 403, 409, 413, 422, 429]) {
      expect(readPaymentAnswer(refusal(status))).toMatchObject({ kind: "refused", message: `Said with ${status}` });
    }
  });

  test("DON-16: a refusal of any status may itself say what happened to the money", () => {
    for (const status of [409, 429, 500, 503]) {
      const read = (money: MoneyOutcome) =>
        readPaymentAnswer({ ok: false, status, error: "any", message: "Said with it", money });
      expect(read("untouched")).toMatchObject({ kind: "refused", message: "Said with it", money: "untouched" });
      expect(read("charged_before")).toMatchObject({ kind: "refused", money: "charged_before" });
      expect(read("unknown")).toMatchObject({ kind: "confirming" });
    }
  });

  test("DON-16: no answer and any 5xx that does not say are being confirmed, never failed", () => {
    for (const status of [0, 500, 502, 503, 504]) {
      expect(readPaymentAnswer(refusal(status))).toEqual({ kind: "confirming", id: undefined });
    }
  });
});

/** Time that passes only by waiting. */
function watch(
  finds: Answer<Payment>[],
  resends?: Answer<Payment>[],
  onChallenge?: () => Promise<PaymentVerdict | undefined>,
) {
  const asked: string[] = [];
  let clock = 0;
  const next = (name: string, answers: Answer<Payment>[]) => () => {
    asked.push(`${name} at ${clock / 1000} s`);
    return Promise.resolve(answers.length > 1 ? answers.shift()! : answers[0]!);
  };
  const outcome = confirmPayment({
    find: next("find", finds),
    resend: resends === undefined ? undefined : next("resend", resends),
    onChallenge: onChallenge ?? (() => Promise.reject(new Error("no bank asks here"))),
    wait: async (ms) => {
      clock += ms;
    },
    now: () => clock,
    signal: new AbortController().signal,
  });
  return { asked, outcome };
}

describe("confirming a payment", () => {
  test("DON-16: it asks after 2 s, then less and less often, up to every 15 s, and gives up within 3 minutes", async () => {
    const { asked, outcome } = watch([processing], [noAnswer]);
    expect(await outcome).toBeUndefined();
    const times = asked.map((line) => Number(/at (.*) s/.exec(line)![1]));
    const pauses = times.slice(1).map((time, index) => time - times[index]!);
    expect(times[0]).toBe(2);
    expect(pauses[0]).toBe(2);
    expect(Math.max(...pauses)).toBe(15);
    expect(times.at(-1)).toBeLessThanOrEqual(180);
    expect(times.at(-1)).toBeGreaterThan(160);
  });

  test("DON-16: a failed lookup says nothing about the money", async () => {
    const { outcome } = watch([noAnswer, refusal(500), refusal(429), success]);
    expect(await outcome).toMatchObject({ kind: "succeeded" });
  });

  test("DON-22: a donation that is not known to the server is sent again, with its own key", async () => {
    const { asked, outcome } = watch([unknown], [noAnswer, success]);
    expect(await outcome).toMatchObject({ kind: "succeeded" });
    expect(asked).toEqual(["find at 2 s", "resend at 2 s", "find at 4 s", "resend at 4 s"]);
  });

  test("DON-16: an answer that nothing is known is believed only after 30 seconds", async () => {
    const { asked, outcome } = watch([unknown]);
    expect(await outcome).toEqual(neverArrived);
    expect(Number(/at (.*) s/.exec(asked.at(-1)!)![1])).toBeGreaterThanOrEqual(30);
  });

  test("DON-20: after a reload it asks immediately and never sends again", async () => {
    const { asked, outcome } = watch([unknown, success]);
    expect(await outcome).toMatchObject({ kind: "succeeded" });
    expect(asked).toEqual(["find at 0 s", "find at 2 s"]);
  });

  test("DON-18: a payment that the bank asks about is handed over; if another window has it, this one waits", async () => {
    const asked: Answer<Payment> = { ok: true, status: 200, message: "", data: payment("action_required") };
    const here = watch([asked], undefined, async () => ({ kind: "challenge", id }));
    expect(await here.outcome).toEqual({ kind: "challenge", id });
    const elsewhere = watch([asked, asked, success], undefined, async () => undefined);
    expect(await elsewhere.outcome).toMatchObject({ kind: "succeeded" });
    expect(elsewhere.asked).toHaveLength(3);
  });

  test("DON-17: a later failure or refund is reported as such", async () => {
    const found = (state: Payment["state"]): Answer<Payment> => ({
      ok: true,
      status: 200,
      message: "",
      data: payment(state),
    });
    expect(await watch([found("failed")]).outcome).toEqual({ kind: "failed", message: "It is failed" });
    expect(await watch([found("refunded")]).outcome).toEqual({ kind: "refunded", message: "It is refunded" });
  });
});
