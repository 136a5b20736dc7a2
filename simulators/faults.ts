import { z } from "zod";
import { seededRandom } from "#shared/seeded-random.ts";
import type { CallSubject } from "./exchange.ts";

/** What can go wrong with any call. */
export const callFaults = [
  "hang_before",
  "hang_after",
  "reset_before",
  "reset_after",
  "error_500_before",
  "error_500_after",
  "error_429",
  "error_503",
  "malformed_after",
  "html_200_after",
  "empty_201_after",
  "truncated_after",
] as const;
const OF_CHARGES = [
  "wrong_amount",
  "wrong_order",
  "missing_id",
  "decline",
  "pending",
  "suspended",
  "surcharge",
] as const;
const OF_SEARCHES = ["search_lag", "search_500", "search_empty", "search_two_pages", "search_duplicates"] as const;
const OF_PAGES = [
  "script_404",
  "frame_ready_error",
  "token_422",
  "token_429",
  "configuration_403",
  "create_payment_422",
] as const;

/** The calls of both providers that need keys. */
const CALLS_WITH_A_KEY = [
  "root",
  "token",
  "authenticate",
  "find_authentication",
  "charge",
  "refund",
  "void",
  "get",
  "search",
  "search_page",
  "nonce",
  "client_token",
];

/** A fault. `ms` is for `slow` and `search_lag`, `code` for `decline`, `resolvesTo` for `pending`. */
export type Fault = {
  readonly do: z.infer<typeof FaultRule>["do"];
  readonly ms?: number | undefined;
  readonly code?: string | undefined;
  readonly resolvesTo?: "approved" | "declined" | undefined;
};

/** The body of `POST /__sim/faults`. */
export const FaultRule = z.strictObject({
  match: z
    .strictObject({
      provider: z.enum(["payway", "braintree"]).optional(),
      op: z.string().optional(),
      orderRef: z.string().optional(),
      /** Only the nth matching call, from 1. */
      nth: z.int().min(1).optional(),
      amountCents: z.int().optional(),
      token: z.string().optional(),
      /** The share of calls, 0 to 1, drawn from the rule's own generator. */
      share: z.number().min(0).max(1).optional(),
    })
    .default({}),
  do: z.enum([...callFaults, "slow", ...OF_CHARGES, ...OF_SEARCHES, ...OF_PAGES, "auth_401"]),
  times: z.int().min(1).optional(),
  seed: z.int().default(1),
  ms: z.int().min(0).max(600_000).optional(),
  code: z.string().max(4).optional(),
  resolvesTo: z.enum(["approved", "declined"]).optional(),
});
export type FaultRule = z.infer<typeof FaultRule>;

type Installed = { readonly id: number; readonly rule: FaultRule; seen: number; fired: number; random(): number };

export type Faults = {
  install(rule: FaultRule): number;
  clear(): void;
  list(): { id: number; rule: FaultRule; seen: number; fired: number }[];
  /** The fault for this call, or null: the first rule that fires, in the order they were installed. */
  take(subject: CallSubject): Fault | null;
};

/** Starts without faults. Each installed fault has its own seeded random numbers. */
export function createFaults(): Faults {
  let rules: Installed[] = [];
  let lastId = 0;
  return {
    install(rule) {
      lastId += 1;
      rules.push({ id: lastId, rule, seen: 0, fired: 0, random: seededRandom(rule.seed) });
      return lastId;
    },
    clear() {
      rules = [];
    },
    list: () => rules.map(({ id, rule, seen, fired }) => ({ id, rule, seen, fired })),
    take(subject) {
      let taken: Installed | null = null;
      for (const installed of rules) {
        // Every rule sees every call, so that its counts and random draws do not depend on earlier rules.
        if (isDue(installed, subject)) taken ??= installed;
      }
      if (taken === null) return null;
      taken.fired += 1;
      return taken.rule;
    },
  };
}

function isDue(installed: Installed, subject: CallSubject): boolean {
  const { match, times } = installed.rule;
  const concerns =
    (match.provider ?? subject.provider) === subject.provider &&
    operationsOf(installed.rule).includes(subject.op) &&
    (match.orderRef ?? subject.orderReference) === subject.orderReference &&
    (match.amountCents ?? subject.amountCents) === subject.amountCents &&
    (match.token ?? subject.token) === subject.token;
  if (!concerns) return false;
  installed.seen += 1;
  const isDrawn = match.share === undefined || installed.random() < match.share;
  const isCounted = match.nth === undefined || match.nth === installed.seen;
  return isDrawn && isCounted && installed.fired < (times ?? Number.POSITIVE_INFINITY);
}

function operationsOf(rule: FaultRule): readonly string[] {
  if (rule.match.op !== undefined) return [rule.match.op];
  if (rule.do.startsWith("search_")) return ["search"];
  if (rule.do.startsWith("token_")) return ["token"];
  if (rule.do === "script_404") return ["script"];
  if (rule.do === "frame_ready_error") return ["frame"];
  if (rule.do === "configuration_403") return ["configuration"];
  if (rule.do === "create_payment_422") return ["create_payment"];
  if (rule.do === "auth_401") return CALLS_WITH_A_KEY;
  return ["charge"];
}
