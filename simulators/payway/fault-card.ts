import type { Fault } from "../faults.ts";

type CardFault = {
  readonly fault: Fault /** How often under one Idempotency-Key; after that the charge runs. */;
  readonly tries: number;
};

const always = (fault: Fault): CardFault => ({ fault, tries: Number.POSITIVE_INFINITY });

/** What each ending in cents does with the fault card; any other ending is approved. */
const CENTS: Readonly<Record<number, CardFault>> = {
  61: always({ do: "pending", resolvesTo: "approved" }),
  62: always({ do: "pending", resolvesTo: "declined" }),
  63: always({ do: "suspended" }),
  71: always({ do: "hang_before" }),
  72: always({ do: "hang_after" }),
  73: { fault: { do: "reset_after" }, tries: 1 },
  74: always({ do: "error_500_before" }),
  75: always({ do: "error_500_after" }),
  76: { fault: { do: "error_429" }, tries: 2 },
  77: { fault: { do: "error_503" }, tries: 1 },
  78: always({ do: "malformed_after" }),
  79: always({ do: "html_200_after" }),
  80: always({ do: "empty_201_after" }),
  81: always({ do: "truncated_after" }),
  82: always({ do: "wrong_amount" }),
  83: always({ do: "wrong_order" }),
  84: always({ do: "missing_id" }),
  85: always({ do: "slow", ms: 8000 }),
  86: always({ do: "slow", ms: 20_000 }),
  87: always({ do: "slow", ms: 40_000 }),
  88: always({ do: "surcharge" }),
};

/** Counts the fault card's tries: `key` is the Idempotency-Key, or the token of a charge without one. */
export function createFaultCard(): { take(amountCents: number, key: string): Fault | null } {
  const taken = new Map<string, number>();
  return {
    take(amountCents, key) {
      const row = CENTS[amountCents % 100];
      const count = taken.get(key) ?? 0;
      if (row === undefined || count >= row.tries) return null;
      taken.set(key, count + 1);
      return row.fault;
    },
  };
}
