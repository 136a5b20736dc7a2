import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status, type StatusLook } from "#admin/ui/status.tsx";
import { tableCents } from "#admin/ui/table-cents.ts";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { plural } from "#shared/language.ts";
import type { PaymentToReview } from "../server/payments-to-review.ts";
import { PAYMENTS_TO_REVIEW_PATH } from "./bookkeeping-to-do.ts";
import { ReconciliationViews } from "./reconciliation-views.tsx";
import { shortTime } from "./shown-times.ts";
import { SubjectLink } from "./subject-link.tsx";

export const paymentsToReviewScreen = screen({
  path: PAYMENTS_TO_REVIEW_PATH,
  right: "reconciliation.see",
  section: "donations",
  load: async ({ reconciliation, findCardGuard }) => {
    const [payments, guardedUntil] = await Promise.all([reconciliation.listPayments(), findCardGuard()]);
    return { payments, guardedUntil };
  },
  title: () => "Payments to review",
  body: ({ payments, guardedUntil }, request) => (
    <>
      <PageHead
        title="Payments to review"
        about={
          payments.length === 0
            ? "Every payment has a definite answer, and none is disputed."
            : plural(payments.length, {
                one: "One payment is waiting for an answer, or for somebody.",
                other: `${payments.length} payments are waiting for an answer, or for somebody.`,
              })
        }
      />
      <ReconciliationViews here="payments" />
      <UnshownFormMessage request={request} shown={guardedUntil === null ? [] : ["end-guard"]} />
      {guardedUntil !== null && <CardGuard until={guardedUntil} request={request} />}
      {payments.length === 0 ? (
        <Empty title="Nothing to review" />
      ) : (
        <PaymentsTable payments={payments} request={request} />
      )}
    </>
  ),
});

/** Says that somebody tries stolen cards, what that means for donors, and how to end it. */
function CardGuard({ until, request }: { until: Date; request: ScreenRequest }) {
  const mayChange = hasRight(request.staff!, "reconciliation.change");
  return (
    <section className="panel" aria-labelledby="card-guard">
      <h2 id="card-guard">Cards are guarded until {shortTime(until)}</h2>
      <p>
        Many cards were declined in a short time, as happens when somebody tries stolen ones. Until then, whoever has
        not paid here before solves a harder captcha, and some are asked to try later. PayPal works as usual.
        {mayChange && " Telephone PayWay and tell them."}
      </p>
      {mayChange && (
        <ActionForm action={`${PAYMENTS_TO_REVIEW_PATH}/end-guard`} id="end-guard" request={request}>
          <p className="hint">
            End it only if these were your own donors. It starts again if cards go on being declined.
          </p>
          <button className="btn quiet" type="submit">
            Take cards as usual now
          </button>
        </ActionForm>
      )}
    </section>
  );
}

function PaymentsTable({ payments, request }: { payments: readonly PaymentToReview[]; request: ScreenRequest }) {
  const mayChange = request.staff !== null && hasRight(request.staff, "reconciliation.change");
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Payments to review, oldest first</caption>
        <thead>
          <tr>
            <th scope="col">Payment</th>
            <th scope="col">State</th>
            <th scope="col">{mayChange ? "What to do" : "What is known"}</th>
            <th scope="col">Since</th>
            <th scope="col" className="num">
              Amount
            </th>
            {mayChange && (
              <th scope="col">
                <span className="sr">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <PaymentRow payment={payment} mayChange={mayChange} key={payment.reference} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const states: Readonly<Record<PaymentToReview["kind"], { look: StatusLook; word: string }>> = {
  disputed: { look: "bad", word: "Disputed" },
  "no answer": { look: "warn", word: "No answer" },
  pending: { look: "act", word: "Confirming" },
  refund: { look: "act", word: "Refund waits" },
};

/** What is known, and what whoever may change something should do. */
function explain({ kind, provider }: PaymentToReview): { readonly known: string; readonly advice: string } {
  switch (kind) {
    case "disputed":
      return {
        known: "The payer disputes it with their bank. We find out the result automatically.",
        advice: `Answer the dispute at ${provider} before its deadline.`,
      };
    case "no answer":
      return {
        known: `${provider}’s answer was lost, and we did not charge again.`,
        advice: `Search ${provider} for this reference if it stays.`,
      };
    case "pending":
      return {
        known: `${provider} is still checking it.`,
        advice: `Ask ${provider} if it takes longer than a day.`,
      };
    case "refund":
      return {
        known: "We try this refund again automatically.",
        advice: `If it stays, search ${provider} for this reference before you refund there.`,
      };
  }
}

function PaymentRow({ payment, mayChange }: { payment: PaymentToReview; mayChange: boolean }) {
  const { id, kind, reference, of, refundId, since, amountCents, provider, nextCheckAt } = payment;
  const { look, word } = states[kind];
  const { known, advice } = explain(payment);
  return (
    <tr data-id={id}>
      <th scope="row" className="k-c">
        {of !== null && <SubjectLink subject={of} className="k" />}
        <span className="two-l">
          {refundId === null ? reference : <a href={`/admin/refunds/${refundId}`}>{reference}</a>}
        </span>
      </th>
      <td className="s-c">
        <Status look={look}>{word}</Status>
      </td>
      <td className="w-c">
        {known} {mayChange && advice}
        {nextCheckAt !== null && <span className="two-l">We ask again by {shortTime(nextCheckAt)}.</span>}
      </td>
      <td className="m-c" data-l="Since">
        {shortTime(since)}
      </td>
      <td className="num v-c">{tableCents(amountCents)}</td>
      {mayChange && (
        <td className="w-c">
          {kind !== "refund" && (
            <form method="post" action={`${PAYMENTS_TO_REVIEW_PATH}/${id}/check`}>
              <button className="btn quiet" type="submit">
                <Icon name="again" />
                Ask {provider} now<span className="sr"> about {reference}</span>
              </button>
            </form>
          )}
        </td>
      )}
    </tr>
  );
}
