import { z } from "zod";
import { Transaction } from "./braintree-transactions.ts";

/** What the SDK makes of an answer to a sale, a refund or a void: `success` alone proves nothing. */
const Result = z.object({ success: z.boolean(), transaction: z.unknown().optional() });
const Problem = z.object({ code: z.string().max(20), attribute: z.string().max(60).nullish() });
export type Problem = z.output<typeof Problem>;

export const KEYS_NOT_ALLOWED = "915231";
export const KEY_IN_FLIGHT = "915233";
/** The request key was used: what an earlier call made may stand in the books. */
export const EARLIER_CALL: readonly string[] = ["915232", KEY_IN_FLIGHT, "915234", "915235"];

type Unknown = { readonly kind: "unknown"; readonly reason: string; readonly mayResend: boolean };

/**
 * Reads an answer to a sale, a refund or a void: by its transaction or, where it has none, by the fields that Braintree
 * refused. What says neither, or contradicts itself, is unknown.
 */
export function readAnswer<Read extends { readonly kind: string }>(
  value: unknown,
  readTransaction: (transaction: Transaction) => Read,
  readProblems: (problems: readonly Problem[]) => Read,
): Read | Unknown {
  const unknown = (reason: string): Unknown => ({ kind: "unknown", reason, mayResend: false });
  const result = Result.safeParse(value);
  if (!result.success) return unknown("Braintree answered, but not in the form it should");
  if (result.data.transaction === undefined) {
    const problems = listProblems(value);
    return problems.length === 0 ? unknown("Braintree answered without a transaction") : readProblems(problems);
  }
  const parsed = Transaction.safeParse(result.data.transaction);
  if (!parsed.success) return unknown("Braintree answered, but its transaction cannot be read");
  const read = readTransaction(parsed.data);
  const isMade = read.kind === "succeeded" || read.kind === "processing";
  return isMade && !result.data.success ? unknown("Braintree said both yes and no") : read;
}

/** The fields that Braintree refused, by the codes of its documentation; empty where the answer names none. */
function listProblems(value: unknown): Problem[] {
  try {
    const { errors } = value as { errors: { deepErrors(): unknown } };
    return z.array(Problem).parse(errors.deepErrors());
  } catch {
    return [];
  }
}

/** A sentence for the operator. Braintree's own words may repeat what was sent, so only its codes are named. */
export function explainProblems(problems: readonly Problem[]): string {
  if (problems.some(({ code }) => code === KEYS_NOT_ALLOWED)) {
    return `Braintree does not allow request keys to this merchant (${KEYS_NOT_ALLOWED}): set BRAINTREE_REQUEST_KEYS=off`;
  }
  return `Braintree refused ${problems.map(({ code, attribute }) => `${attribute || "a field"} (${code})`).join(", ")}`;
}
