import type { Provider, ProviderTransaction, RefundInstruction, RefundOutcome } from "#payments/provider.ts";
import type { ProviderName } from "#payments/tables.ts";

/**
 * What the bank does with the next refund. `lost` and the like give no answer: with `made` the money was refunded anyway,
 * with `resendable` the same key may be sent again.
 */
export type RefundTurn =
  | "made"
  | "refused"
  | "too_early"
  | "not_sent"
  | "lost"
  | "lost_resendable"
  | "lost_made"
  | "lost_made_resendable"
  | "throws_made";

type Charge = {
  readonly transactionId: string;
  readonly amountCents: number;
  readonly orderReference: string;
  status: ProviderTransaction["status"];
  providerStatus: string;
  dispute: ProviderTransaction["dispute"];
};

type BankRefund = { -readonly [Key in keyof ProviderTransaction]: ProviderTransaction[Key] };

/**
 * A provider in memory that keeps correct books and gives scripted answers, one for each call, then carries out what it is
 * asked. Like a real one it never refunds more than it took, repeats its answer to a known key, and lists refunds under
 * their charge.
 */
export function createScriptedBank({ name = "payway" as ProviderName } = {}) {
  const charges = new Map<string, Charge>();
  const refunds: BankRefund[] = [];
  const byKey = new Map<string, RefundOutcome>();
  const turns: RefundTurn[] = [];
  let lastId = 1000;
  const calls = { refund: 0, findRefund: 0, findPayment: 0 };
  const state = { isAuthoritative: true, isDown: false, isVoidable: false, namesReferences: true, hasRefundKeys: true };
  const gates: Promise<void>[] = [];
  const takeId = () => String(++lastId);

  function give(transactionId: string, amountCents: number, orderReference: string | null): BankRefund {
    const refund: BankRefund = {
      transactionId: takeId(),
      type: "refund",
      status: "approved",
      providerStatus: "approved",
      amountCents,
      currency: "AUD",
      orderReference,
      parentId: transactionId,
      at: null,
      dispute: null,
    };
    refunds.push(refund);
    return refund;
  }

  function leftOf({ transactionId, amountCents, status }: Charge): number {
    if (status !== "approved") return 0;
    const given = refunds.filter((refund) => refund.parentId === transactionId && refund.status === "approved");
    return amountCents - given.reduce((sum, refund) => sum + refund.amountCents, 0);
  }

  function make(request: RefundInstruction): RefundOutcome {
    const known = byKey.get(request.idempotencyKey);
    if (known !== undefined) return known;
    const charge = charges.get(request.transactionId);
    if (charge === undefined || leftOf(charge) < request.amountCents) {
      return { kind: "refused", reason: "the amount is more than is left", raw: null };
    }
    if (state.isVoidable && request.isWhole) Object.assign(charge, { status: "voided", providerStatus: "voided" });
    const how = charge.status === "voided" ? "void" : "refund";
    const made = how === "void" ? charge : give(charge.transactionId, request.amountCents, request.orderReference);
    const { transactionId, providerStatus: status } = made;
    const outcome: RefundOutcome = { kind: "succeeded", how, transactionId, status, raw: { transactionId } };
    byKey.set(request.idempotencyKey, outcome);
    return outcome;
  }

  const provider: Provider = {
    name,
    charge: () => Promise.reject(new Error("This bank only makes refunds.")),
    findByOrderReference: async () => ({ outcomes: [], isAuthoritative: state.isAuthoritative }),
    get hasRefundKeys() {
      return state.hasRefundKeys;
    },
    async refund(request) {
      calls.refund += 1;
      await gates.shift();
      const turn = turns.shift() ?? "made";
      if (turn === "refused") return { kind: "refused", reason: "the facility gives nothing back", raw: { turn } };
      if (turn === "too_early") return { kind: "too_early", reason: "the payment has not settled yet" };
      if (turn === "not_sent") return { kind: "not_sent", reason: "the provider cannot be reached" };
      const outcome = turn === "lost" || turn === "lost_resendable" ? null : make(request);
      if (turn === "throws_made") throw new Error("killed");
      if (turn === "made") return outcome!;
      return { kind: "unknown", reason: "no answer came", mayResend: turn.endsWith("resendable") };
    },
    async findRefund(request) {
      calls.findRefund += 1;
      if (state.isDown) throw new Error("The books cannot be read now.");
      const own = refunds.find(({ orderReference }) => orderReference === request.orderReference);
      const charge = charges.get(request.transactionId);
      const isVoided = request.isWhole && charge?.status === "voided";
      const found = own ?? (isVoided ? charge : undefined);
      if (found === undefined) return { outcome: null, isAuthoritative: state.isAuthoritative };
      const { transactionId, providerStatus: status } = found;
      const how = own === undefined ? "void" : "refund";
      return { outcome: { kind: "succeeded", how, transactionId, status, raw: null }, isAuthoritative: true };
    },
    listTransactions: () => Promise.reject(new Error("This bank lists one payment at a time.")),
    async findPayment({ transactionId }) {
      calls.findPayment += 1;
      if (state.isDown) throw new Error("The books cannot be read now.");
      return listOf(transactionId);
    },
    checkCredentials: async () => {},
  };

  function listOf(transactionId: string): ProviderTransaction[] | null {
    const charge = charges.get(transactionId);
    if (charge === undefined) return null;
    const payment = { ...charge, type: "payment", currency: "AUD", parentId: null, at: null } as const;
    const own = refunds.filter(({ parentId }) => parentId === transactionId);
    return [payment, ...own.map((refund) => (state.namesReferences ? refund : { ...refund, orderReference: null }))];
  }

  return {
    provider,
    calls,
    /** Changes how the bank behaves from now on. */
    state,
    /** Makes the next refund wait until the returned function is called. */
    holdNext() {
      let release = () => {};
      gates.push(new Promise((resolve) => (release = resolve)));
      return () => release();
    },
    script: (...next: RefundTurn[]) => turns.push(...next),
    /** Drops unused answers. */
    forget: () => turns.splice(0),
    /** Adds a charge; returns its id. */
    take(amountCents: number, orderReference: string): string {
      const transactionId = takeId();
      const status = { status: "approved", providerStatus: "approved", dispute: null } as const;
      charges.set(transactionId, { transactionId, amountCents, orderReference, ...status });
      return transactionId;
    },
    /** What the bank's staff or the payer's bank do to a charge. */
    change: (transactionId: string, changes: Partial<Charge>) => Object.assign(charges.get(transactionId)!, changes),
    /** A refund by the bank's staff. */
    give: (transactionId: string, amountCents: number) => give(transactionId, amountCents, null),
    refundsOf: (transactionId: string) => refunds.filter(({ parentId }) => parentId === transactionId),
    leftOf: (transactionId: string) => leftOf(charges.get(transactionId)!),
    listOf,
  };
}
