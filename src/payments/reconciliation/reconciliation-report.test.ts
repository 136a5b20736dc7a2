import { expect, test } from "vitest";
import { type FindingKind, findingKinds } from "./compare-terms.ts";
import { adviceOf, type DescribedFinding, describeDifference } from "./reconciliation-report.ts";

const finding = (kind: FindingKind, changes: Partial<DescribedFinding> = {}) =>
  ({ kind, provider: "payway", ours_cents: 1000, theirs_cents: 900, refundKind: null, ...changes }) as DescribedFinding;

test("REC-36: what to do is for whoever sees the books; only a fault of the site needs somebody else, and says what to tell", () => {
  const cases = findingKinds.flatMap((kind) => [
    finding(kind),
    finding(kind, { ours_cents: 0 }),
    finding(kind, { theirs_cents: 0 }),
    finding(kind, { refund_id: "r1", refundKind: "refund" }),
    finding(kind, { refund_id: "r1", refundKind: "void" }),
  ]);
  const needsOthers = cases.filter((one) => adviceOf(one).includes("whoever runs the site"));
  expect(new Set(needsOthers.map(({ kind }) => kind))).toEqual(new Set(["amount_differs", "ledger_differs"]));
  for (const one of needsOthers)
    expect(adviceOf(one)).toMatch(/fault of the site.* Tell whoever runs the site the payment/);
  // The payment may be for tickets.
  for (const one of cases) expect(adviceOf(one)).not.toMatch(/donor|receipt(?! or the tickets)/);
});

test("REC-21: two equal amounts are not told as what differs", () => {
  const facts = { provider: "braintree", reference: "t1", payment: "P-1", refund: null, refund_id: null } as const;
  const dispute = { ...facts, day: "2026-11-13", theirs_cents: 1000, detail: "a dispute is open there" };
  expect(describeDifference(finding("status_differs", dispute))).toBe(
    "The books differ on payment P-1 of 13 November 2026, transaction t1: a dispute is open there.",
  );
  expect(describeDifference(finding("status_differs", { ...dispute, theirs_cents: 0 }))).toContain(
    "a dispute is open there. We have $10.00, Braintree (PayPal) has $0.00.",
  );
});
