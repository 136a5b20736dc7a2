import { randomBytes } from "node:crypto";

/** A payment that a page has set up with PayPal, and the payer's decision in PayPal's window. */
export type Approval = {
  /** PayPal's order token, `EC-…`, which the page gets and opens the window with. */
  readonly token: string;
  readonly paymentId: string;
  readonly payerId: string;
  readonly payee: string;
  /** Dollars with two decimals. */
  readonly amount: string;
  readonly currency: string;
  /** `fault`: approved, and then the cents of the amount decide, as with the fault card. */
  state: "open" | "approved" | "fault" | "exchanged";
};

export type Approvals = {
  begin(payment: Pick<Approval, "payee" | "amount" | "currency">): Approval;
  /** By its `EC-…` or its `PAYID-…`. */
  find(id: string): Approval | undefined;
};

/** Only in memory: an approval lasts for the minutes between PayPal's window and the nonce. */
export function createApprovals(): Approvals {
  const approvals = new Map<string, Approval>();
  return {
    begin(payment) {
      const id = randomBytes(9).toString("hex").toUpperCase();
      const approval: Approval = {
        ...payment,
        token: `EC-${id.slice(0, 17)}`,
        paymentId: `PAYID-${id}`,
        payerId: "SIMULATEDPAYER",
        state: "open",
      };
      approvals.set(approval.token, approval);
      approvals.set(approval.paymentId, approval);
      return approval;
    },
    find: (id) => approvals.get(id),
  };
}
