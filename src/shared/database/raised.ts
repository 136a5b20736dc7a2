import pg from "pg";

/** Every SQLSTATE of our own that functions of the database raise, and what it says. */
export const raised = {
  /** Seats are taken or not for sale. The detail is how many are left of each type. */
  seatsUnavailable: "AL001",
  /** What was paid for is no longer available, so the payment is not settled. */
  notSettled: "AL002",
  captchaUsed: "AL003",
  /** The same was donated within the last ten minutes. The detail is that payment. */
  givenBefore: "AL004",
  /** The order can't be paid. The detail names the problem. */
  orderNotHeld: "AL005",
  /** The address or browser has made another hold. */
  heldMeanwhile: "AL006",
  /** An order has this key already. */
  keyUsed: "AL007",
  /** The discount code has too few uses left. */
  tooFewUses: "AL008",
  /** Somebody asked to call off the event. */
  salesStopped: "AL009",
} as const;

export const isRaised = (error: unknown, code: string): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === code;
