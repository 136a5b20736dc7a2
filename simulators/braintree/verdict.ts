import { DAY_MS } from "#shared/day-length.ts";
import type { Fault } from "../faults.ts";
import type { Detail, NonceKind, Prospect } from "./books.ts";

/** Changes that wait until a test moves the clock happen after a minute even if none does. */
const PENDING_MS = 60_000;

/** The outcome of a sale. */
type Verdict = { readonly status: string } & Pick<
  Detail,
  "responseCode" | "responseText" | "responseType" | "rejectionReason" | "prospect"
>;

const RESPONSE_TEXTS: Readonly<Record<string, string>> = {
  "1000": "Approved",
  "1002": "Processed",
  "2000": "Do Not Honor",
  "2001": "Insufficient Funds",
  "2038": "Processor Declined",
  "2046": "Declined",
  "2047": "Call Issuer. Pick Up Card.",
  "3000": "Processor Network Unavailable - Try Again",
  "4002": "Settlement Pending",
};

/** The only declines that are worth another try with the same PayPal account, as far as the simulator knows. */
const SOFT = ["2000", "2001", "2038", "2046"];

/** Decides a sale: a fault rule first; then, for a nonce of kind `fault`, the amount as in Braintree's sandbox. */
export function judgeSale(
  kind: NonceKind,
  amountCents: number,
  isSubmitted: boolean,
  fault: Fault | null,
  now: number,
): Verdict {
  if (fault?.do === "decline") return declined(fault.code ?? "2000");
  if (fault?.do === "suspended") return rejected("fraud");
  if (fault?.do === "pending") {
    return pending(fault.resolvesTo === "declined" ? "settlement_declined" : "settled", now);
  }
  const dollars = Math.floor(amountCents / 100);
  if (kind === "fault") {
    if (amountCents === 500_101) return declined("2038");
    if (dollars >= 2000 && dollars < 3000) return declined(String(dollars));
    if (dollars === 3000 || amountCents === 500_102) return { ...declined("3000"), status: "failed" };
    if (dollars === 4002) return pending("settled", now);
    if (dollars === 4001) return approved({ status: "settlement_declined", at: now + PENDING_MS, onAdvance: true });
    if (amountCents === 500_100) return rejected("application_incomplete");
  }
  if (!isSubmitted) return { ...approved(null), status: "authorized" };
  return approved(settlesNextDay(now));
}

/** Settlement, 24 hours later in the simulator. */
export function settlesNextDay(now: number): Prospect {
  return { status: "settled", at: now + DAY_MS, onAdvance: false };
}

function approved(prospect: Prospect | null): Verdict {
  return {
    status: "submitted_for_settlement",
    responseCode: "1000",
    responseText: "Approved",
    responseType: "approved",
    rejectionReason: null,
    prospect,
  };
}

function pending(resolvesTo: "settled" | "settlement_declined", now: number): Verdict {
  const prospect = { status: resolvesTo, at: now + PENDING_MS, onAdvance: true };
  return { ...approved(prospect), status: "settlement_pending", responseCode: "4002", responseText: textOf("4002") };
}

function declined(code: string): Verdict {
  return {
    ...approved(null),
    status: "processor_declined",
    responseCode: code,
    responseText: textOf(code),
    responseType: SOFT.includes(code) ? "soft_declined" : "hard_declined",
  };
}

function rejected(reason: string): Verdict {
  return {
    ...approved(null),
    status: "gateway_rejected",
    responseCode: "",
    responseText: "Gateway Rejected",
    rejectionReason: reason,
  };
}

function textOf(code: string): string {
  return RESPONSE_TEXTS[code] ?? "Processor Declined";
}
