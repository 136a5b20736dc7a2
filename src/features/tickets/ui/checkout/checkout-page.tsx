import "#shared/ui/form-without-eval.ts";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ticketPath } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { usePlaceHeading } from "#shared/ui/use-focus.ts";
import { lazyPart, NotLoaded, useLoad } from "#shared/ui/use-load.tsx";
import type { TicketEvent } from "../../contract.ts";
import { BuyerForm } from "./buyer-form.tsx";
import { type CheckoutFlow, isResult, isUnderWay, isWithoutSeats } from "./checkout-flow.ts";
import { HoldClock } from "./hold-clock.tsx";
import { HoldOver } from "./hold-over.tsx";
import type { MainProps } from "./main-props.ts";
import { OrderSummary } from "./order-summary.tsx";
import { useBuyer } from "./use-buyer.ts";
import { type TicketCheckout, useCheckout } from "./use-checkout.ts";

type CheckoutPageProps = {
  readonly organisation: MainProps["organisation"];
  readonly offer: TicketEvent;
  readonly slug: string;
  readonly countries: readonly string[];
  readonly leave?: (path: string) => void;
};

/** The island of /ticketsCheckout: the buyer, the payment, and its result (TIC-3 to TIC-7). */
export function CheckoutPage({ organisation, offer, slug, countries, leave = leaveForGood }: CheckoutPageProps) {
  const choicePath = ticketPath("selectTickets", slug, offer.access);
  const checkout = useCheckout(slug, choicePath, leave);
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
              {isWithoutSeats(flow) && (
                <HoldOver flow={flow} choicePath={choicePath} onHoldAgain={checkout.hold.open} />
              )}
              <Main
                checkout={checkout}
                buyer={buyer}
                organisation={organisation}
                choicePath={choicePath}
                countries={countries}
                offer={offer}
              />
            </div>
            <OrderSummary flow={flow} offer={offer} choicePath={choicePath} onCode={checkout.hold.applyCode}>
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

const NOT_LOADED = "Part of this page did not load. Please check your connection. What you typed is kept.";

/** The form and the payment steps, or the result. The steps load when somebody starts the form or scrolls down. */
function Main({ countries, offer, ...props }: MainProps & Pick<CheckoutPageProps, "countries" | "offer">) {
  const { checkout, buyer } = props;
  const { flow } = checkout;
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNear(place);
  const [hasBegun, setBegun] = useState(false);
  const isNext = isNear || hasBegun || buyer.buyer !== undefined || flow.verdict !== undefined;
  const isWanted = flow.order !== undefined && isNext;
  const { data: part, error, reload } = useLoad(lazyPaymentSteps.load, { known: lazyPaymentSteps.known(), isWanted });
  if (isResult(flow) && part !== undefined) return <part.LazyPaymentSteps {...props} />;
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
        <part.LazyPaymentSteps {...props} />
      ) : (
        <div className="block pay-not-yet" ref={place}>
          <NotLoaded hasFailed={error !== undefined} text={NOT_LOADED} onTryAgain={reload}>
            <p className="muted">{describePaymentDeadline(flow, offer)}</p>
          </NotLoaded>
        </div>
      )}
    </div>
  );
}

/** Never says "loading", because nothing loads until somebody starts the form. */
function describePaymentDeadline({ order, lines }: CheckoutFlow, { types }: TicketEvent): string {
  const when = order === undefined ? "once your seats are held" : "when you fill in your details";
  const isFree = (code: string) => types.some((type) => type.code === code && type.priceCents === 0);
  if (order === undefined ? lines.every(({ type }) => isFree(type)) : order.totalCents === 0) {
    return `There is nothing to pay. You book here ${when}.`;
  }
  return `You can pay by card or PayPal. The payment form opens here ${when}.`;
}

function Hold({ checkout }: { checkout: TicketCheckout }) {
  const { flow, lapse, hold } = checkout;
  if (isUnderWay(flow) || isResult(flow)) return null;
  if (!flow.isHeld) return <p className="hold">{flow.isAsking ? "Holding your seats…" : "Your seats are not held."}</p>;
  return (
    <HoldClock
      endsAt={flow.endsAt}
      isAsking={flow.isAsking}
      problem={flow.problem?.message}
      onEnd={lapse}
      onMoreTime={flow.order?.isOffer ? undefined : hold.extend}
    />
  );
}

function WithoutScript({ phone }: { phone: string }) {
  return (
    <noscript>
      <p className="note no-script">
        <span>
          Paying on this page needs JavaScript, which is switched off in your browser. We can book for you: call our
          helpline on <a href={telephoneLink(phone)}>{phone}</a>.
        </span>
      </p>
    </noscript>
  );
}

function headingOf({ verdict }: CheckoutFlow): string {
  if (verdict?.kind === "succeeded") return "Your tickets are booked";
  if (verdict?.kind === "failed") return "Your payment did not go through";
  if (verdict?.kind === "refunded") return "We are refunding your payment";
  if (verdict?.kind === "confirming") return "We are confirming your payment";
  return "Checkout";
}

/** Moves focus to a result's heading, unless the last failure has focus, and puts the heading into the page's title. */
function useHeading(flow: CheckoutFlow, isWrong: boolean) {
  const served = useRef<string>(undefined);
  const text = headingOf(flow);
  const isOver = isResult(flow);
  useLayoutEffect(() => {
    served.current ??= document.title;
    document.title = `${isWrong ? "Error: " : ""}${isOver ? `${text} | ` : ""}${served.current}`;
  }, [text, isWrong, isOver]);
  return usePlaceHeading(text, flow.lastFailure === undefined);
}

/** Focus moves to the form when seats are held again, because the button that was pressed is gone. */
function useFocusOnceHeld(flow: CheckoutFlow) {
  const isWithout = isWithoutSeats(flow);
  const was = useRef(false);
  useLayoutEffect(() => {
    if (was.current && !isWithout && flow.isHeld) document.getElementById("buyer-heading")?.focus();
    was.current = isWithout;
  }, [isWithout, flow.isHeld]);
}

const lazyPaymentSteps = lazyPart(() => import("./lazy-payment-steps.tsx"));

/** True once the element has been close to the viewport. */
function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || element.current === null) return;
    if (!("IntersectionObserver" in window)) return setNear(true);
    const watch = (entries: readonly IntersectionObserverEntry[]) =>
      entries.some(({ isIntersecting }) => isIntersecting) && setNear(true);
    const observer = new IntersectionObserver(watch, { rootMargin: "0px 0px 25%" });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isNear, element]);
  return isNear;
}
