import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { SimulatedAnswer } from "../exchange.ts";
import type { Fault } from "../faults.ts";
import { answerMade, describeTransaction, type Refusal, refusal } from "./answers.ts";
import type { Books, Trace, Transaction } from "./books.ts";
import { type TransactionFields, text } from "./sales.ts";
import { xml } from "./xml.ts";

const SLOW_MS = 8000;

type Order = {
  /** The call's path: the same key on another path is another request. */
  readonly path: string;
  readonly fields: TransactionFields;
  readonly fault: Fault | null;
  make(trace: Trace | null): Transaction | Refusal;
};

/**
 * Sales, refunds and voids: carries out each `api_request_key` once. An answered key gets the same answer again; a key
 * that is not allowed, comes with another body or is still in progress is a 422.
 */
export function createBraintreeTransactions(
  books: Books,
  merchantAccountId: string,
  hasRequestKeys: boolean,
): (order: Order) => Promise<SimulatedAnswer> {
  const underWay = new Set<string>();

  function answerWith(made: Transaction | Refusal, fault: Fault | null, isVoid: boolean): SimulatedAnswer {
    if ("code" in made) return refusal(made);
    const shown = spoil(made, fault);
    const described = describeTransaction(shown, books, merchantAccountId, fault?.do === "missing_id");
    return isVoid ? xml(200, described) : answerMade(shown, described);
  }

  return async function take({ path, fields, fault, make }) {
    const isVoid = path.endsWith("/void");
    const key = text(fields.api_request_key);
    const refused = (code: string, message: string) => refusal({ code, attribute: "api_request_key", message });

    async function carryOut(trace: Trace | null): Promise<SimulatedAnswer> {
      if (fault?.do === "slow") await pause(fault.ms ?? SLOW_MS);
      return answerWith(make(trace), fault, isVoid);
    }

    if (key === "") return carryOut(null);
    if (!hasRequestKeys) return refused("915231", "API Request Key is not allowed.");
    if (key.length > 255) return refused("915230", "API Request Key is too long.");
    const hash = createHash("sha256")
      .update(`${path}\n${JSON.stringify(fields)}`)
      .digest("hex");
    const earlier = books.findFirstAnswer(key);
    if (earlier !== undefined) {
      if (earlier.hash === hash) return answerWith(earlier.transaction, fault, isVoid);
      return refused("915232", "API Request Key can be reused only with the same request.");
    }
    if (underWay.has(key)) return refused("915233", "API Request Key is in flight.");
    underWay.add(key);
    return carryOut({ key, hash }).finally(() => underWay.delete(key));
  };
}

/** Faults in the answer only: what was booked is right. */
function spoil(made: Transaction, fault: Fault | null): Transaction {
  if (fault?.do === "wrong_amount") return { ...made, amountCents: made.amountCents + 100 };
  if (fault?.do === "wrong_order") return { ...made, orderReference: "SOMEBODY-ELSES" };
  return made;
}
