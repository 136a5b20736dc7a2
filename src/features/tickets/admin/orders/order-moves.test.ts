import { expect, test } from "vitest";
import type { OrderDetails } from "../../server/staff/order-details.ts";
import { listOrderMoves } from "./order-moves.ts";

const at = new Date("2026-11-21T03:00:00Z");
type Changes = { readonly order?: object } & Partial<Record<"refundEvents" | "emails", readonly object[]>>;

/** What the history of an order says, latest first. */
function read({ order, ...changes }: Changes): string[] {
  const byBuyer = {
    created_at: at,
    called_off_at: null,
    sold_by: null,
    taken_cents: 0,
    request_hash: Buffer.alloc(32),
  };
  const nothing = { payments: [], events: [], refundEvents: [], emails: [], acts: [] };
  const details = { ...nothing, ...changes, order: { ...byBuyer, ...order } } as unknown as OrderDetails;
  return listOrderMoves(details).map(({ text }) => text);
}

test.each([
  ["a buyer", {}, "The buyer chose seats, which were held."],
  [
    "the waiting list",
    { request_hash: Buffer.alloc(0) },
    "The seats were offered to somebody on the waiting list, and held.",
  ],
  ["staff, as a gift", { sold_by: 1, request_hash: Buffer.alloc(0) }, "Staff gave the tickets."],
  [
    "staff, for money",
    { sold_by: 1, taken_cents: 20_000, request_hash: Buffer.alloc(0) },
    "Staff sold the tickets, and took $200.00 in person.",
  ],
])("ORD-2: the history begins with who made the order: %s", (_, order, sentence) => {
  expect(read({ order })).toEqual([sentence]);
});

test("ORD-2: the history names what staff wrote to the holders, and a dispute that the buyer won without calling them a donor", () => {
  const email = { id: "1", template: "holder-email", state: "completed", at, completedAt: at };
  const dispute = {
    id: 1,
    event: "refund_found",
    at,
    amount_cents: 10_000,
    kind: "chargeback",
    provider: "payway",
    reason: "",
    requested_by: "provider",
  };
  expect(read({ emails: [email], refundEvents: [dispute] })).toEqual(
    expect.arrayContaining([
      "Email: What staff wrote to the ticket holders, for the buyer.",
      "The dispute was decided against us: $100.00 went back.",
    ]),
  );
});
