import pLimit from "p-limit";
import { AppError } from "#shared/errors.ts";
import { addDays, dayInSydney, formatList, plural } from "#shared/language.ts";
import { paymentProblems } from "../problems.ts";
import type { Provider, ProviderTransaction } from "../provider.ts";
import { type Reviewed, review } from "../refunds/review.ts";
import { isPaid } from "../states.ts";
import type { ProviderName } from "../tables.ts";
import {
  type BookedPayment,
  compareWithProvider,
  type Finding,
  type ListedTransaction,
  type ProviderComparison,
} from "./compare.ts";
import type { ReconciliationContext } from "./context.ts";
import {
  type KeptFinding,
  listBooked,
  listOpenFindings,
  type Result,
  type Scope,
  scheduleCheck,
} from "./reconciliation-store.ts";

const CONCURRENT_QUERIES = 4;
/** The most rounds. Usually they end once all findings are looked up, but money that moves meanwhile causes another. */
const ROUNDS = 4;

/**
 * Compares a day, and the days before it, with the provider's books. Each difference is looked up individually before it
 * is reported, and corrected on our books if possible.
 * @throws AppError 'provider_away', its cause a sentence, if the provider's books can't be read now.
 */
export async function compareDay(
  context: ReconciliationContext,
  name: ProviderName,
  day: string,
  now: Date,
): Promise<Result & { scope: Scope }> {
  const { database, reconciliation, settings } = context;
  const books = openBooks(context.providers[name]);
  const firstDay = addDays(day, -reconciliation.days);
  const days = Array.from({ length: reconciliation.days + 1 }, (_, index) => addDays(firstDay, index));
  const listed = new Map<string, ListedTransaction>();
  const add = (rows: readonly ListedTransaction[]) => rows.forEach((row) => void listed.set(row.transactionId, row));
  add((await Promise.all(days.map(books.list))).flat());
  const known = await listOpenFindings(database, name);
  // An unknown charge of an earlier run may have been refunded since, however old it is.
  const foreign = known.filter(({ kind }) => kind === "charge_without_payment");
  add((await Promise.all(foreign.map((finding) => books.find(finding.reference, finding.day)))).flat());

  const scopeNow = () => scopeOf([...listed.values()], known, { firstDay, lastDay: day });
  const compare = async () => {
    const booked = await listBooked(database, name, scopeNow());
    const comparison = compareWithProvider(booked, [...listed.values()], { day, now, giveUpMs: settings.giveUpMs });
    return { comparison, payments: new Map(booked.map((payment) => [payment.attemptId, payment])) };
  };

  const lookedUp = new Map<string, Finding>();
  const reviewed = new Map<string, Reviewed[]>();
  let { comparison, payments } = await compare();
  for (let round = 0; round < ROUNDS; round += 1) {
    const doubts = comparison.findings.filter((finding) => isOfProvider(finding) && !lookedUp.has(keyOf(finding)));
    if (doubts.length === 0) break;
    for (const finding of doubts) lookedUp.set(keyOf(finding), finding);
    add((await Promise.all(doubts.map((finding) => lookUp(books, finding, payments, listed)))).flat());
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

/** The days, and everything else that the provider's list or an open finding names. */
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

type Books = ReturnType<typeof openBooks>;

/** A provider's books, with limited concurrency; if they can't be read, the comparison ends. */
function openBooks(provider: Provider) {
  const limited = pLimit(CONCURRENT_QUERIES);
  const ask = <Answer>(question: () => Promise<Answer>): Promise<Answer> =>
    limited(question).catch((cause: unknown) => {
      throw new AppError(paymentProblems.provider_away, { cause });
    });
  const onDay = (day: string) => (row: ProviderTransaction) => ({
    ...row,
    day: row.at === null ? day : dayInSydney(row.at),
  });
  return {
    list: async (day: string) => (await ask(() => provider.listTransactions([day]))).map(onDay(day)),
    find: async (transactionId: string, day: string) =>
      ((await ask(() => provider.findPayment({ transactionId, day }))) ?? []).map(onDay(day)),
    /** The ids of all charges with one of our references. */
    async search(orderReference: string): Promise<string[]> {
      const { outcomes } = await ask(() => provider.findByOrderReference(orderReference));
      return outcomes.flatMap((outcome) => ("transactionId" in outcome ? (outcome.transactionId ?? []) : []));
    },
  };
}

/** Looks up the payment of one finding at the provider. */
async function lookUp(
  books: Books,
  { attemptId, reference, kind, day }: Finding,
  payments: ReadonlyMap<string, BookedPayment>,
  listed: ReadonlyMap<string, ListedTransaction>,
): Promise<ListedTransaction[]> {
  const row = listed.get(reference);
  const chargeId = row?.type === "refund" ? row.parentId : reference;
  const payment = payments.get(attemptId ?? "");
  if (payment === undefined) return chargeId === null ? [] : books.find(chargeId, row?.day ?? day);
  const ids = new Set<string>();
  if (payment.transactionId !== null) ids.add(payment.transactionId);
  if (row !== undefined && chargeId !== null) ids.add(chargeId);
  const mayBeElsewhere = kind === "payment_without_charge" || !isPaid(payment.state);
  if (mayBeElsewhere) for (const id of await books.search(payment.orderReference)) ids.add(id);
  return (await Promise.all([...ids].map((id) => books.find(id, payment.day)))).flat();
}

/** Corrects our books where possible: refunds, voids and disputes immediately, a late charge through the reconciler. */
async function settle(
  context: ReconciliationContext,
  payment: BookedPayment,
  listed: ReadonlyMap<string, ListedTransaction>,
  now: Date,
): Promise<Reviewed[]> {
  const { attemptId, transactionId, state } = payment;
  if (!isPaid(state)) {
    await scheduleCheck(context.database, attemptId, now);
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

const reviewOutcomes: Record<Reviewed["kind"], string> = {
  refund: "the refund is now on our books",
  void: "the void is now on our books",
  reversal: "the payment’s reversal is now on our books",
  chargeback: "the lost dispute is now on our books",
  refund_dropped: "we cancelled a refund that was still waiting",
  dispute_opened: "the payment is now marked as disputed",
  dispute_won: "the dispute is now marked as won",
};

/** The findings that a review of their payment resolved. */
function settledOf(
  lookedUp: ReadonlyMap<string, Finding>,
  { findings }: ProviderComparison,
  reviewed: ReadonlyMap<string, readonly Reviewed[]>,
): Finding[] {
  const left = new Set(findings.map(keyOf));
  return [...lookedUp.values()].flatMap((finding) => {
    const done = reviewed.get(finding.attemptId ?? "");
    if (done === undefined || left.has(keyOf(finding))) return [];
    return [
      {
        ...finding,
        detail: `${finding.detail}; ${formatList(
          done.map(({ kind }) => reviewOutcomes[kind]),
          "and",
        )}`,
      },
    ];
  });
}

function openOf({ openPayments }: ProviderComparison): string {
  if (openPayments === 0) return "";
  return plural(openPayments, {
    one: "One payment was still open and is left out; the next comparison includes it.",
    other: `${openPayments} payments were still open and are left out; the next comparison includes them.`,
  });
}
