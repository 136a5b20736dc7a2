import type {
  ChargeOutcome,
  Charge as ChargeRequest,
  FoundCharges,
  ProviderTransaction,
  RefundInstruction,
  RefundOutcome,
} from "#payments/provider.ts";
import type { ProviderName } from "#payments/tables.ts";
import { drawer, type Random } from "./random.ts";
import { day, hour, minute, second } from "./rules.ts";

/** A charge on the provider's books; times in milliseconds of the episode's clock. */
export type HeldCharge = {
  readonly id: string;
  readonly orderReference: string;
  readonly instrument: string;
  readonly amountCents: number;
  status: "approved" | "pending" | "declined" | "voided";
  providerStatus: string;
  /** When it got its current status. */
  decidedAt: number;
  readonly at: number;
  readonly visibleAt: number;
  dispute: "open" | "won" | "lost" | null;
  readonly refunds: Given[];
};

type Given = {
  readonly id: string;
  readonly orderReference: string | null;
  /** The key of its request; null if it was made by hand. */
  readonly key: string | null;
  readonly amountCents: number;
  readonly at: number;
  readonly visibleAt: number;
};

/** Thrown while the books cannot be read; production catches it and checks again later. */
export const booksAway = new Error("the books cannot be read now");

type Request = Pick<ChargeRequest, "instrument" | "amountCents" | "orderReference" | "idempotencyKey">;

const drawFate = drawer({
  approve: 30,
  decline: 6,
  pending: 6,
  lost_before: 5,
  lost_after: 8,
  broken_before: 3,
  broken_after: 4,
  garbled: 3,
  wrong_amount: 1,
  busy: 4,
  refused: 2,
  in_flight: 4,
  delayed: 6,
});
const drawRefundFate = drawer({
  give: 30,
  lost_before: 6,
  lost_after: 8,
  broken_after: 4,
  not_sent: 5,
  refuse: 2,
  delayed: 5,
});

export type ModelBank = ReturnType<typeof createBank>;

/**
 * A provider in memory, which may charge or not, answer or not, and show its books late. PayWay's kind remembers keys and
 * repeats its first answer, unless it broke; Braintree's has no keys. Both accept a card token once, unless they broke.
 * With `isAuthoritative` a search shows everything immediately, and no call is carried out after its lease.
 */
export function createBank(name: ProviderName, random: Random, isAuthoritative: boolean) {
  const held: HeldCharge[] = [];
  const answered = new Map<string, ChargeOutcome>();
  const given = new Map<string, RefundOutcome>();
  /** The time from which a card token counts as used. */
  const used = new Map<string, number>();
  const delayed: { readonly at: number; readonly run: (now: number) => void }[] = [];
  const hasKeys = name === "payway";
  let ids = 0;
  let isCalm = false;

  const newId = () => `${name}-${++ids}`;
  const lateness = (now: number, sentAt: number) => {
    if (isAuthoritative || isCalm) return now;
    // The site promises to survive searches that are up to a day late.
    return Math.min(now + random.spread(second, 20 * hour), Math.max(now, sentAt + 23 * hour));
  };

  function hold(
    request: Request,
    status: HeldCharge["status"],
    now: number,
    sentAt: number,
    extraCents = 0,
  ): HeldCharge {
    const charge: HeldCharge = {
      id: newId(),
      orderReference: request.orderReference,
      instrument: request.instrument,
      amountCents: request.amountCents + extraCents,
      status,
      providerStatus: status,
      decidedAt: now,
      at: now,
      visibleAt: lateness(now, sentAt),
      dispute: null,
      refunds: [],
    };
    held.push(charge);
    return charge;
  }

  function charge(request: Request, now: number): ChargeOutcome {
    const { instrument, idempotencyKey } = request;
    const before = hasKeys ? answered.get(idempotencyKey) : undefined;
    if (before !== undefined) return random.isHit(0.3) && !isCalm ? lost(hasKeys) : before;
    if ((used.get(instrument) ?? now + 1) <= now) return hasKeys ? notCharged(false) : lost(false);
    const carryOut = (status: HeldCharge["status"], at: number, extraCents = 0): ChargeOutcome => {
      used.set(instrument, at);
      const outcome = outcomeOf(hold(request, status, at, now, extraCents));
      answered.set(idempotencyKey, outcome);
      return outcome;
    };
    const fate = isCalm ? "approve" : drawFate(random);
    switch (fate) {
      case "approve":
        return carryOut("approved", now);
      case "decline":
        return carryOut("declined", now);
      case "pending":
        return carryOut("pending", now);
      case "lost_before":
        return lost(hasKeys);
      case "lost_after":
        carryOut("approved", now);
        return lost(hasKeys);
      case "broken_before":
        return lost(false);
      case "broken_after":
        // The worst case of a 500: it was charged, the key is forgotten, and the token does not count as used yet.
        hold(request, "approved", now, now);
        used.set(instrument, now + 4 * second);
        return lost(false);
      case "garbled":
        carryOut("approved", now);
        return lost(false);
      case "wrong_amount":
        carryOut("approved", now, 1);
        // An adapter rejects an answer about another amount.
        answered.set(idempotencyKey, lost(false));
        return lost(false);
      case "busy":
        return notCharged(true);
      case "refused":
        return notCharged(false);
      case "in_flight":
        // Charged, but for a while a repeat of its key hears that the first call is still running.
        carryOut("approved", now);
        answered.set(idempotencyKey, notCharged(false));
        return lost(hasKeys);
      case "delayed": {
        // The call is still running: its key and token are taken, its outcome comes later.
        used.set(instrument, now);
        answered.set(idempotencyKey, notCharged(false));
        const status = random.isHit(0.8) ? "approved" : "declined";
        const at = now + (isAuthoritative ? random.spread(second, 25 * second) : random.spread(minute, 3 * day));
        delayed.push({ at, run: (then) => void carryOut(status, then) });
        return lost(hasKeys);
      }
    }
  }

  function findByOrderReference(orderReference: string, now: number): FoundCharges {
    if (!isCalm && random.isHit(0.1)) throw booksAway;
    const seen = held.filter((one) => one.orderReference === orderReference && one.visibleAt <= now);
    return { outcomes: seen.map(outcomeOf), isAuthoritative };
  }

  function refund(request: RefundInstruction, now: number): RefundOutcome {
    const before = hasKeys ? given.get(request.idempotencyKey) : undefined;
    if (before !== undefined) return random.isHit(0.3) && !isCalm ? lost(hasKeys) : before;
    const carryOut = (at: number): RefundOutcome => {
      const outcome = refundSome(request, at, now);
      if (outcome.kind === "succeeded") given.set(request.idempotencyKey, outcome);
      return outcome;
    };
    switch (isCalm ? "give" : drawRefundFate(random)) {
      case "give":
        return carryOut(now);
      case "lost_before":
        return lost(hasKeys);
      case "lost_after":
        carryOut(now);
        return lost(hasKeys);
      case "broken_after":
        refundSome(request, now, now);
        return lost(false);
      case "not_sent":
        return { kind: "not_sent", reason: "never left" };
      case "refuse":
        return { kind: "refused", reason: "not now, not later", raw: null };
      case "delayed": {
        const at = now + (isAuthoritative ? random.spread(second, 25 * second) : random.spread(second, 2 * day));
        // With keys a repeat joins the first call, which is still running, so it is carried out once.
        const late: RefundOutcome = lost(hasKeys);
        given.set(request.idempotencyKey, late);
        delayed.push({ at, run: (then) => void carryOut(then) });
        return late;
      }
    }
  }

  /** Looks up the charge first, then voids or refunds, as an adapter does. */
  function refundSome(request: RefundInstruction, now: number, sentAt: number): RefundOutcome {
    const charge = find(request.transactionId);
    if (charge?.status !== "approved") return { kind: "refused", reason: "no charge", raw: null };
    const isSettled = now - charge.at >= day;
    if (!isSettled && !request.isWhole) return { kind: "too_early", reason: "not settled" };
    if (!isSettled) {
      takeBack(charge, "voided", now);
      return succeeded("void", charge.id);
    }
    if (request.amountCents > leftCents(charge)) return { kind: "refused", reason: "more than is left", raw: null };
    const made = addRefund(charge, request.amountCents, now, {
      orderReference: request.orderReference,
      key: request.idempotencyKey,
      sentAt,
    });
    return succeeded("refund", made.id);
  }

  function addRefund(
    charge: HeldCharge,
    amountCents: number,
    now: number,
    of: { orderReference: string | null; key: string | null; sentAt: number },
  ): Given {
    const { orderReference, key } = of;
    const made = { id: newId(), orderReference, key, amountCents, at: now, visibleAt: lateness(now, of.sentAt) };
    charge.refunds.push(made);
    return made;
  }

  function takeBack(charge: HeldCharge, status: "voided" | "declined", now: number) {
    charge.status = status;
    charge.providerStatus = status === "declined" ? "settlement_declined" : "voided";
    charge.decidedAt = now;
  }

  function findRefund(
    request: RefundInstruction,
    now: number,
  ): { outcome: RefundOutcome | null; isAuthoritative: boolean } {
    if (!isCalm && random.isHit(0.1)) throw booksAway;
    const charge = find(request.transactionId);
    const made = charge?.refunds.find((one) => one.orderReference === request.orderReference && one.visibleAt <= now);
    if (made !== undefined) return { outcome: succeeded("refund", made.id), isAuthoritative };
    const isVoid = request.isWhole && charge?.status === "voided";
    return { outcome: isVoid ? succeeded("void", charge.id) : null, isAuthoritative };
  }

  function findPayment(id: string): ProviderTransaction[] | null {
    if (!isCalm && random.isHit(0.05)) throw booksAway;
    const charge = find(id);
    return charge === undefined ? null : rowsOf(charge);
  }

  const find = (id: string | null) => held.find((one) => one.id === id);

  return {
    name,
    held,
    find,
    hasRefundKeys: hasKeys,
    charge,
    findByOrderReference,
    refund,
    findRefund,
    findPayment,
    addRefund,
    takeBack,
    listAll: () => held.flatMap(rowsOf),
    /** Carries out what is due. */
    catchUp(now: number) {
      for (let index = 0; index < delayed.length; ) {
        const late = delayed[index]!;
        if (late.at > now) index += 1;
        else {
          delayed.splice(index, 1);
          late.run(now);
        }
      }
    },
    nextAt: () => delayed.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY),
    /** Ends the faults: every call is answered. */
    calmDown() {
      isCalm = true;
    },
  };
}

/** The cents of a charge that are not refunded. */
export function leftCents({ amountCents, refunds }: HeldCharge): number {
  return refunds.reduce((left, refund) => left - refund.amountCents, amountCents);
}

/** The cents of a charge that the provider holds for us now. */
export function heldCents(charge: HeldCharge): number {
  return charge.status === "approved" && charge.dispute !== "lost" ? leftCents(charge) : 0;
}

function outcomeOf(charge: HeldCharge): ChargeOutcome {
  const { id: transactionId, status, amountCents, orderReference, providerStatus } = charge;
  const common = { transactionId, status: providerStatus, responseCode: null, raw: null };
  if (status === "declined" || status === "voided") return { kind: "declined", ...common };
  const kind = status === "pending" ? "processing" : "succeeded";
  return { kind, ...common, amountCents, paidCents: amountCents, currency: "AUD", orderReference };
}

function rowsOf({ refunds, ...charge }: HeldCharge): ProviderTransaction[] {
  const common = { currency: "AUD", dispute: null };
  return [
    { ...common, ...charge, transactionId: charge.id, type: "payment", parentId: null, at: new Date(charge.at) },
    ...refunds.map((refund) => ({
      ...common,
      transactionId: refund.id,
      type: "refund" as const,
      status: "approved" as const,
      providerStatus: "approved",
      amountCents: refund.amountCents,
      orderReference: refund.orderReference,
      parentId: charge.id,
      at: new Date(refund.at),
    })),
  ];
}

const lost = (mayResend: boolean) => ({ kind: "unknown", reason: "no answer", mayResend }) as const;
const notCharged = (mayRetry: boolean): ChargeOutcome => ({ kind: "not_charged", reason: "not taken", mayRetry });
const succeeded = (how: "refund" | "void", transactionId: string): RefundOutcome => ({
  kind: "succeeded",
  how,
  transactionId,
  status: how === "void" ? "voided" : "approved",
  raw: null,
});
