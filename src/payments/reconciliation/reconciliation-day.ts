import { AppError } from "#shared/errors.ts";
import { fewAtOnce } from "#shared/few-at-once.ts";
import { addDays, dayInSydney } from "#shared/sydney.ts";
import type { Provider, ProviderTransaction } from "../provider.ts";
import { type Reviewed, review } from "../refunds/review.ts";
import { isPaid } from "../states.ts";
import type { ProviderName } from "../tables.ts";
import { type BookedPayment, type Comparison, compareBooks, type Finding, type ListedTransaction } from "./compare.ts";
import type { ReconciliationContext } from "./context.ts";
import {
  askSoon,
  type KeptFinding,
  listBooked,
  listOpenFindings,
  type Result,
  type Scope,
} from "./reconciliation-store.ts";

/** How many questions are put to a provider at the same time. */
const QUESTIONS_AT_ONCE = 4;
/** A comparison whose findings are all looked up is the last; money that moves meanwhile may bring another round. */
const ROUNDS = 4;

/**
 * Compares a day, and the days before it, with the provider's books. Nothing is called missing or different before it
 * was asked for by itself; what the house can put right by itself is put right.
 * @throws AppError 'provider_away', its cause a sentence, when the provider's books cannot be read now.
 */
export async function compareDay(
  context: ReconciliationContext,
  name: ProviderName,
  day: string,
  now: Date,
): Promise<Result & { scope: Scope }> {
  const { database, reconciliation, settings } = context;
  const desk = openDesk(context.providers[name]);
  const firstDay = addDays(day, -reconciliation.days);
  const days = Array.from({ length: reconciliation.days + 1 }, (_, index) => addDays(firstDay, index));
  const listed = new Map<string, ListedTransaction>();
  const add = (rows: readonly ListedTransaction[]) => rows.forEach((row) => void listed.set(row.transactionId, row));
  add((await Promise.all(days.map(desk.list))).flat());
  const known = await listOpenFindings(database, name);
  // What nobody here knew the last time may have gone back since, however old it is.
  const foreign = known.filter(({ kind }) => kind === "charge_without_payment");
  add((await Promise.all(foreign.map((finding) => desk.find(finding.reference, finding.day)))).flat());

  const scopeNow = () => scopeOf([...listed.values()], known, { firstDay, lastDay: day });
  const compare = async () => {
    const booked = await listBooked(database, name, scopeNow());
    const comparison = compareBooks(booked, [...listed.values()], { day, now, giveUpMs: settings.giveUpMs });
    return { comparison, payments: new Map(booked.map((payment) => [payment.attemptId, payment])) };
  };

  const lookedUp = new Map<string, Finding>();
  const reviewed = new Map<string, Reviewed[]>();
  let { comparison, payments } = await compare();
  for (let round = 0; round < ROUNDS; round += 1) {
    const doubts = comparison.findings.filter((finding) => isOfProvider(finding) && !lookedUp.has(keyOf(finding)));
    if (doubts.length === 0) break;
    for (const finding of doubts) lookedUp.set(keyOf(finding), finding);
    add((await Promise.all(doubts.map((finding) => lookUp(desk, finding, payments, listed)))).flat());
    ({ comparison, payments } = await compare());
    const different = new Set(comparison.findings.filter(isOfProvider).flatMap(({ attemptId }) => attemptId ?? []));
    for (const id of different) {
      const done = await settle(context, payments.get(id)!, listed, now);
      if (done.length > 0) reviewed.set(id, [...(reviewed.get(id) ?? []), ...done]);
    }
    if (different.size > 0) ({ comparison, payments } = await compare());
  }
  const findings = comparison.findings.filter((finding) => !isOfProvider(finding) || lookedUp.has(keyOf(finding)));
  const sure = { ...comparison, findings };
  return { scope: scopeNow(), comparison: sure, settled: settledOf(lookedUp, sure, reviewed), detail: openOf(sure) };
}

/** The days, and whatever else the provider's list or an open finding names. */
function scopeOf(
  rows: readonly ListedTransaction[],
  known: readonly KeptFinding[],
  days: Pick<Scope, "firstDay" | "lastDay">,
): Scope {
  return {
    ...days,
    attemptIds: known.flatMap(({ attempt_id }) => attempt_id ?? []),
    transactionIds: rows.flatMap(({ transactionId, parentId }) =>
      parentId === null ? transactionId : [transactionId, parentId],
    ),
    orderReferences: rows.flatMap(({ orderReference }) => orderReference ?? []),
  };
}

const keyOf = ({ kind, reference }: Finding) => `${kind} ${reference}`;
const isOfProvider = ({ kind }: Finding) => kind !== "ledger_differs";

type Desk = ReturnType<typeof openDesk>;

/** A provider's books, asked a few questions at a time; a book that cannot be read ends the comparison. */
function openDesk(provider: Provider) {
  const inTurn = fewAtOnce(QUESTIONS_AT_ONCE);
  const ask = <Answer>(question: () => Promise<Answer>): Promise<Answer> =>
    inTurn(question).catch((cause: unknown) => {
      throw new AppError("provider_away", { cause });
    });
  const onDay = (day: string) => (row: ProviderTransaction) => ({
    ...row,
    day: row.at === null ? day : dayInSydney(row.at),
  });
  return {
    list: async (day: string) => (await ask(() => provider.listTransactions([day]))).map(onDay(day)),
    find: async (transactionId: string, day: string) =>
      ((await ask(() => provider.findPayment({ transactionId, day }))) ?? []).map(onDay(day)),
    /** The ids of every charge under one of our references. */
    async search(orderReference: string): Promise<string[]> {
      const { outcomes } = await ask(() => provider.findByOrderReference(orderReference));
      return outcomes.flatMap((outcome) => ("transactionId" in outcome ? (outcome.transactionId ?? []) : []));
    },
  };
}

/** What the provider says, asked by itself, of the payment that a finding is about. */
async function lookUp(
  desk: Desk,
  { attemptId, reference, kind, day }: Finding,
  payments: ReadonlyMap<string, BookedPayment>,
  listed: ReadonlyMap<string, ListedTransaction>,
): Promise<ListedTransaction[]> {
  const row = listed.get(reference);
  const chargeId = row?.type === "refund" ? row.parentId : reference;
  const payment = payments.get(attemptId ?? "");
  if (payment === undefined) return chargeId === null ? [] : desk.find(chargeId, row?.day ?? day);
  const ids = new Set<string>();
  if (payment.transactionId !== null) ids.add(payment.transactionId);
  if (row !== undefined && chargeId !== null) ids.add(chargeId);
  const mayBeElsewhere = kind === "payment_without_charge" || !isPaid(payment.state);
  if (mayBeElsewhere) for (const id of await desk.search(payment.orderReference)) ids.add(id);
  return (await Promise.all([...ids].map((id) => desk.find(id, payment.day)))).flat();
}

/** Has the house take what it can onto its books: refunds, voids and disputes at once, a late charge by the reconciler. */
async function settle(
  context: ReconciliationContext,
  payment: BookedPayment,
  listed: ReadonlyMap<string, ListedTransaction>,
  now: Date,
): Promise<Reviewed[]> {
  const { attemptId, transactionId, state } = payment;
  if (!isPaid(state)) {
    await askSoon(context.database, attemptId, now);
    return [];
  }
  const rows = [...listed.values()].filter(
    (row) => row.transactionId === transactionId || row.parentId === transactionId,
  );
  if (rows.length === 0) return [];
  return review(context, { id: attemptId }, rows, now).catch((error: unknown) => {
    context.log.error({ err: error, attempt: attemptId }, "a difference could not be settled; it stays in the report");
    return [];
  });
}

const deeds: Record<Reviewed["kind"], string> = {
  refund: "the refund is on our books now",
  void: "the void is on our books now",
  reversal: "the payment is taken back on our books now",
  chargeback: "the lost dispute is on our books now",
  refund_dropped: "a refund of ours that was still waiting is dropped",
  dispute_opened: "the payment is marked as disputed now",
  dispute_won: "the dispute is marked as won now",
};

/** The findings that a review of their payment made an end to. */
function settledOf(
  lookedUp: ReadonlyMap<string, Finding>,
  { findings }: Comparison,
  reviewed: ReadonlyMap<string, readonly Reviewed[]>,
): Finding[] {
  const left = new Set(findings.map(keyOf));
  return [...lookedUp.values()].flatMap((finding) => {
    const done = reviewed.get(finding.attemptId ?? "");
    if (done === undefined || left.has(keyOf(finding))) return [];
    return [{ ...finding, detail: `${finding.detail}; ${done.map(({ kind }) => deeds[kind]).join(", ")}` }];
  });
}

function openOf({ openPayments }: Comparison): string {
  if (openPayments === 0) return "";
  const payments = openPayments === 1 ? "One payment was" : `${openPayments} payments were`;
  return `${payments} still open and left out; the next comparison looks again.`;
}
