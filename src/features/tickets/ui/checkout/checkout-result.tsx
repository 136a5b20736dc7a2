import { Confirming } from "#payments/checkout/ui/confirming.tsx";
import { giveUpChallenge } from "#payments/checkout/ui/give-up-challenge.ts";
import { describeMoney } from "#payments/checkout/ui/outcome.ts";
import { Contact } from "#payments/checkout/ui/trust-block.tsx";
import type { Payee } from "#payments/checkout/ui/words.ts";
import { formatDollars } from "#shared/language.ts";
import failedPicture from "#shared/ui/identity/illustrations/spot-failed.svg?no-inline";
import { BookedOrder } from "./booked.tsx";
import type { SentTicketPayment } from "./checkout-flow.ts";
import type { MainProps } from "./main-props.ts";
import { payTickets } from "./ticket-calls.ts";
import type { TicketPaying } from "./use-ticket-payment.ts";

/** The result of the payment, which always says whether anything was charged (TIC-6, TIC-7). */
export function CheckoutResult({ choicePath, ...props }: CheckoutResultProps) {
  const { checkout, organisation } = props;
  const { verdict, sent, order } = checkout.flow;
  if (verdict?.kind === "succeeded") {
    const { firstName, lastName, email = order?.email, postcode } = props.buyer.buyer ?? {};
    const person = { firstName, lastName, email, postcode };
    return (
      <BookedOrder order={order} message={verdict.message} verdict={verdict} payee={organisation} person={person} />
    );
  }
  if (verdict?.kind === "refunded") {
    const total = order === undefined ? "all of your payment" : `your ${formatDollars(order.totalCents)} in full`;
    return (
      <NotBooked text={verdict.message || SEATS_GONE} payee={organisation}>
        <p>
          <b>We are refunding {total}.</b> Your bank may take a few days to show it. We will email you, too.
        </p>
        <div className="form-actions">
          <a className="btn" href={choicePath}>
            See which tickets are left
          </a>
        </div>
      </NotBooked>
    );
  }
  if (verdict?.kind === "failed") {
    return (
      <NotBooked text={verdict.message} payee={organisation}>
        <p>
          <b>{describeMoney()}</b> What you typed is kept.
        </p>
        <div className="form-actions">
          <button type="button" className="btn" onClick={checkout.tryAgain}>
            Try again
          </button>
        </div>
      </NotBooked>
    );
  }
  if (sent === undefined || order === undefined) return null;
  return <Unknown {...props} payment={sent} orderId={order.id} />;
}

type CheckoutResultProps = MainProps & { readonly paying: TicketPaying };

const SEATS_GONE = "Your seats were gone by the time your payment arrived.";

type NotBookedProps = { readonly text: string; readonly payee: Payee; readonly children: React.ReactNode };

function NotBooked({ text, payee, children }: NotBookedProps) {
  return (
    <section className="plain-card result" aria-label="Result">
      <img src={failedPicture} alt="" width="160" height="160" />
      <p className="lede" role="alert">
        {text}
      </p>
      {children}
      <Contact payee={payee} />
    </section>
  );
}

type UnknownProps = Omit<CheckoutResultProps, "choicePath"> & {
  readonly payment: SentTicketPayment;
  readonly orderId: string;
};

function Unknown({ checkout, paying, buyer, organisation, payment, orderId }: UnknownProps) {
  const body = checkout.sent.current;
  return (
    <Confirming
      method={payment.method}
      payment={payment}
      payee={organisation}
      resend={body === undefined ? undefined : () => payTickets(body)}
      // After a reload the card is unknown, so its bank's challenge cannot be completed.
      onChallenge={async (challenge) => (body === undefined ? giveUpChallenge(challenge, orderId) : challenge)}
      onDecided={(verdict) => {
        paying.decide(verdict);
        if (verdict.kind === "refused") buyer.showFound(verdict.fields);
      }}
    />
  );
}
