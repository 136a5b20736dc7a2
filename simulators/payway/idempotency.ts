import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Call, json, type SimulatedAnswer } from "../exchange.ts";
import type { Fault } from "../faults.ts";
import { describeTransaction, refusal } from "./answers.ts";
import type { Books, Trace, Transaction } from "./books.ts";

const SLOW_MS = 8000;

type IdempotencyMode = "replay" | "422" | "409";
type Make = (form: URLSearchParams, fault: Fault | null, trace: Trace) => Transaction | SimulatedAnswer;

/**
 * `POST /transactions`, for payments and refunds. An answered key gets the same answer again. The idempotency mode decides
 * the answer to another body, or to a second call while the first runs.
 */
export function createPaywayTransactions(
  books: Books,
  mode: IdempotencyMode,
  make: Make,
): (call: Call, fault: Fault | null) => Promise<SimulatedAnswer> {
  const underWay = new Map<string, Promise<SimulatedAnswer>>();

  return async function take(call, fault) {
    const form = new URLSearchParams(call.body);
    form.sort();
    const requestHash = createHash("sha256").update(form.toString()).digest("hex");
    const key = call.headers["idempotency-key"]?.toString() ?? null;

    async function carryOut(): Promise<SimulatedAnswer> {
      if (fault?.do === "slow") await pause(fault.ms ?? SLOW_MS);
      const made = make(form, fault, { idempotencyKey: key, requestHash });
      return "transactionId" in made ? json(201, describeTransaction(made, books)) : made;
    }

    if (key === null) return carryOut();
    const earlier = books.findFirstAnswer(key);
    if (earlier !== undefined) {
      const isSame = earlier.detail.requestHash === requestHash || mode === "replay";
      return isSame ? json(201, describeTransaction(earlier, books)) : conflict(mode);
    }
    const running = underWay.get(key);
    if (running !== undefined) return mode === "replay" ? running : conflict(mode);
    const answer = carryOut().finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
}

function conflict(mode: IdempotencyMode): SimulatedAnswer {
  if (mode === "409") return json(409, {});
  return refusal(422, "Idempotency-Key", "This key was used for another request");
}
