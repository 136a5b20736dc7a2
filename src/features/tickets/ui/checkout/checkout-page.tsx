import "#shared/ui/form-without-eval.ts";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { NotLoaded, useLater } from "#shared/ui/form-later.tsx";
import type { TicketEvent } from "../../contract.ts";
import { BuyerForm } from "./buyer-form.tsx";
import { type CheckoutFlow, isResult, isUnderWay, isWithoutSeats } from "./checkout-flow.ts";
import { HoldClock } from "./hold-clock.tsx";
import { HoldOver } from "./hold-over.tsx";
import { laterPart } from "./later.ts";
import type { MainProps } from "./main-props.ts";
import { OrderSummary } from "./order-summary.tsx";
import { useBuyer } from "./use-buyer.ts";
import { type Checkout, useCheckout } from "./use-checkout.ts";
import { useNear } from "./use-near.ts";

export type CheckoutPageProps = {
  readonly organisation: Pick<Organisation, "name" | "abn" | "phone" | "email" | "registration">;
  readonly offer: TicketEvent;
  /** The event's. */
  readonly slug: string;
  /** The names of all of them. */
  readonly countries: readonly string[];
  readonly leave?: (path: string) => void;
};

/** The whole of /ticketsCheckout: who buys, how they pay, and what came of it (TIC-3 to TIC-7). */
export function CheckoutPage({ organisation, offer, slug, countries, leave = leaveForGood }: CheckoutPageProps) {
  const checkout = useCheckout(slug, leave);
  const { flow } = checkout;
  const buyer = useBuyer(slug, checkout.kept);
  const heading = useHeading(flow, buyer.problems.length > 0);
  useFocusOnceHeld(flow);
  const isOpen = flow.lines.length > 0 || flow.order !== undefined;
  return (
    <div className="flow checkout">
      <div className="wrap">
        <div className="flow-head">
          <h1 tabIndex={-1} ref={heading}>
            {headingOf(flow)}
          </h1>
          <p className="lede">{offer.title}</p>
        </div>
        <WithoutScript phone={organisation.phone} />
        {isOpen ? (
          <div className="with-aside">
            <div className="flow-main">
              {isWithoutSeats(flow) && <HoldOver flow={flow} slug={slug} onHoldAgain={checkout.hold.open} />}
              <Main checkout={checkout} buyer={buyer} organisation={organisation} slug={slug} countries={countries} />
            </div>
            <OrderSummary flow={flow} offer={offer} slug={slug}>
              <Hold checkout={checkout} />
            </OrderSummary>
          </div>
        ) : (
          <p className="plain-card checkout-not-yet needs-script" role="status">
            Loading your tickets…
          </p>
        )}
      </div>
    </div>
  );
}

const leaveForGood = (path: string) => location.replace(path);

const NOT_LOADED = "A part of this page did not load. Please check your connection. What you typed is kept.";

/** The form and what pays, or the result. What pays comes once somebody begins with the form, or comes near its end. */
function Main({ countries, ...props }: MainProps & Pick<CheckoutPageProps, "countries">) {
  const { checkout, buyer } = props;
  const { flow } = checkout;
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNear(place);
  const [hasBegun, setBegun] = useState(false);
  const isNext = isNear || hasBegun || buyer.buyer !== undefined || flow.verdict !== undefined;
  const { part, hasFailed, tryAgain } = useLater(laterPart, flow.order !== undefined && isNext);
  if (isResult(flow) && part !== undefined) return <part.LaterPart {...props} />;
  return (
    <div className="plain-card">
      {flow.verdict === undefined && (
        <BuyerForm
          buyer={buyer}
          countries={countries}
          isFrozen={isUnderWay(flow)}
          isFolded={flow.lastFailure !== undefined}
          onBegin={() => setBegun(true)}
        />
      )}
      {part !== undefined && (flow.order !== undefined || flow.lastFailure !== undefined) ? (
        <part.LaterPart {...props} />
      ) : (
        <div className="block pay-not-yet" ref={place}>
          {hasFailed ? (
            <NotLoaded says={NOT_LOADED} onTryAgain={tryAgain} />
          ) : (
            <p className="muted">{sayWhenToPay(flow)}</p>
          )}
        </div>
      )}
    </div>
  );
}

/** It never says that it is loading: nothing is, until somebody begins with the form. */
function sayWhenToPay({ order }: CheckoutFlow): string {
  const when = order === undefined ? "once your seats are held" : "when you fill in your details";
  return `You can pay by card or PayPal. The payment form opens here ${when}.`;
}

function Hold({ checkout }: { checkout: Checkout }) {
  const { flow, lapse, hold } = checkout;
  if (isUnderWay(flow) || isResult(flow)) return null;
  if (!flow.isHeld) return <p className="hold">{flow.isAsking ? "Holding your seats…" : "Your seats are not held."}</p>;
  return (
    <HoldClock
      endsAt={flow.endsAt}
      isAsking={flow.isAsking}
      problem={flow.problem?.message}
      onEnd={lapse}
      onMoreTime={hold.extend}
    />
  );
}

/** What stands here for those without JavaScript. */
function WithoutScript({ phone }: { phone: string }) {
  return (
    <noscript>
      <p className="note no-script">
        <span>
          Paying on this page needs JavaScript, which is switched off in your browser. We book for you: call our
          helpline on <a href={telephoneLink(phone)}>{phone}</a>.
        </span>
      </p>
    </noscript>
  );
}

function headingOf({ verdict }: CheckoutFlow): string {
  if (verdict?.kind === "succeeded") return "Your tickets are booked";
  if (verdict?.kind === "failed") return "Your payment did not go through";
  if (verdict?.kind === "refunded") return "Your payment goes back to you";
  if (verdict?.kind === "confirming") return "We are confirming your payment";
  return "Checkout";
}

/** A result takes focus to its heading, and its words into the page's title. */
function useHeading(flow: CheckoutFlow, isWrong: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  const served = useRef<string>(undefined);
  const text = headingOf(flow);
  const seen = useRef(text);
  const isOver = isResult(flow);
  useEffect(() => {
    served.current ??= document.title;
    document.title = `${isWrong ? "Error: " : ""}${isOver ? `${text} | ` : ""}${served.current}`;
  }, [text, isWrong, isOver]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the words change; why the last payment failed has focus then
  useLayoutEffect(() => {
    if (seen.current !== text && flow.lastFailure === undefined) heading.current?.focus();
    seen.current = text;
  }, [text]);
  return heading;
}

/** Whoever has held their seats again goes on at the form, at once: the button they pressed is gone. */
function useFocusOnceHeld(flow: CheckoutFlow) {
  const isWithout = isWithoutSeats(flow);
  const was = useRef(false);
  useLayoutEffect(() => {
    if (was.current && !isWithout && flow.isHeld) document.getElementById("buyer-heading")?.focus();
    was.current = isWithout;
  }, [isWithout, flow.isHeld]);
}
