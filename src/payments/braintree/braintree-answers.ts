import { z } from "zod";
import { BraintreeTransaction } from "./braintree-transactions.ts";

/** The SDK's result of a sale, refund or void. `success` alone proves nothing. */
const Result = z.object({ success: z.boolean(), transaction: z.unknown().optional() });
const BraintreeProblem = z.object({ code: z.string().max(20), attribute: z.string().max(60).nullish() });
export type BraintreeProblem = z.output<typeof BraintreeProblem>;

export const KEYS_NOT_ALLOWED = "915231";
export const KEY_IN_FLIGHT = "915233";
/** The request key was used before: an earlier call may have succeeded. */
export const EARLIER_CALL: readonly string[] = ["915232", KEY_IN_FLIGHT, "915234", "915235"];

type Unknown = { readonly kind: "unknown"; readonly reason: string; readonly mayResend: boolean };

/**
 * Reads the answer to a sale, refund or void by its transaction or, without one, by the fields that Braintree refused.
 * An answer with neither, or one that contradicts itself, is unknown.
 */
export function readAnswer<Read extends { readonly kind: string }>(
  value: unknown,
  readTransaction: (transaction: BraintreeTransaction) => Read,
  readProblems: (problems: readonly BraintreeProblem[]) => Read,
): Read | Unknown {
  const unknown = (reason: string): Unknown => ({ kind: "unknown", reason, mayResend: false });
  const result = Result.safeParse(value);
  if (!result.success) return unknown("Braintree's answer has an unexpected form");
  if (result.data.transaction === undefined) {
    const problems = listProblems(value);
    return problems.length === 0 ? unknown("Braintree answered without a transaction") : readProblems(problems);
  }
  const parsed = BraintreeTransaction.safeParse(result.data.transaction);
  if (!parsed.success) return unknown("Braintree's answer has a transaction that cannot be read");
  const read = readTransaction(parsed.data);
  const isMade = read.kind === "succeeded" || read.kind === "processing";
  return isMade && !result.data.success ? unknown("Braintree said both yes and no") : read;
}

/** The fields that Braintree refused, with the codes of its documentation; empty if it names none. */
function listProblems(value: unknown): BraintreeProblem[] {
  try {
    const { errors } = value as { errors: { deepErrors(): unknown } };
    return z.array(BraintreeProblem).parse(errors.deepErrors());
  } catch {
    return [];
  }
}

/** For the operator. Names only Braintree's codes, because its messages may repeat what was sent. */
export function explainProblems(problems: readonly BraintreeProblem[]): string {
  if (problems.some(({ code }) => code === KEYS_NOT_ALLOWED)) {
    return `Braintree does not allow request keys for this merchant (${KEYS_NOT_ALLOWED}): set BRAINTREE_REQUEST_KEYS=off`;
  }
  return `Braintree refused ${problems.map(({ code, attribute }) => `${attribute || "a field"} (${code})`).join(", ")}`;
}
