import { type DashboardPart, MAX_NAMED, nameFirst, type WaitingLine } from "#admin/dashboard.ts";
import { formatDay, formatDollars, plural } from "#shared/language.ts";
import { countOpenDifferences, type Difference, listDifferences } from "../server/findings.ts";
import { countPaymentsToReview, listPaymentsToReview, type PaymentToReview } from "../server/payments-to-review.ts";
import type { BookkeepingServices } from "./admin-parts.ts";

/** The list of payments that need review. */
export const PAYMENTS_TO_REVIEW_PATH = "/admin/reconciliation/payments";

/** The dashboard's lines about differences and payments. */
export const bookkeepingToDo = ({ database, now }: Pick<BookkeepingServices, "database" | "now">): DashboardPart => ({
  right: "reconciliation.change",
  async listWaiting() {
    const at = now();
    const [differences, payments] = await Promise.all([
      countOpenDifferences(database),
      countPaymentsToReview(database, at),
    ]);
    return [
      ...(differences === 0 ? [] : [differencesLine(differences, await listDifferences(database, "open", MAX_NAMED))]),
      ...(payments === 0 ? [] : [paymentsLine(payments, await listPaymentsToReview(database, at, MAX_NAMED))]),
    ];
  },
});

function differencesLine(count: number, first: readonly Difference[]): WaitingLine {
  const sentence = plural(count, {
    one: "One difference between a provider’s books and ours is open",
    other: `${count} differences between the providers’ books and ours are open`,
  });
  const named = first.map(({ provider, day, theirsCents, oursCents }) => {
    const cents = Math.abs(theirsCents - oursCents);
    return `${cents === 0 ? "" : `${formatDollars(cents)} `}at ${provider} on ${formatDay(day)}`;
  });
  const text = nameFirst(sentence, named, count);
  return { text, linkText: "Check what differs", path: "/admin/reconciliation", look: "warn" };
}

function paymentsLine(count: number, first: readonly PaymentToReview[]): WaitingLine {
  const sentence = plural(count, { one: "One payment needs review", other: `${count} payments need review` });
  const named = first.map(
    ({ amountCents, of, reference }) => `${formatDollars(amountCents)} for ${of?.reference ?? reference}`,
  );
  return {
    text: nameFirst(sentence, named, count),
    linkText: "Review payments",
    path: PAYMENTS_TO_REVIEW_PATH,
    look: "warn",
  };
}
