import {
  type ButtonOptions,
  forgetPayPal,
  orNotLoaded,
  type PayPalCheckout,
  type PayPalParts,
  preparePayPal,
} from "./paypal-script.ts";

/** A payment approved at PayPal; nothing is charged yet. */
export type PayPalApproval = { readonly nonce: string; readonly type: string };

export type PayPalButton = {
  /** Removes the button, even while it is loading; later events from PayPal are ignored. */
  close(): void;
};

/** PayPal shows `payee` to the payer. */
type Sums = { readonly amountCents: number; readonly payee: string };
type Events = {
  /** Whether PayPal's window may open; asked at each press. */
  readonly mayOpen: () => boolean;
  readonly onReady: () => void;
  readonly onOpened: () => void;
  readonly onApproving: () => void;
  readonly onApproved: (approval: PayPalApproval) => void;
  /** Called with a sentence for the payer; the button is gone by then. */
  readonly onStopped: (sentence: string) => void;
};
export type ButtonSetup = Sums & {
  readonly scriptsUrl: string;
  /** The client token; rejects with a sentence for the payer. */
  readonly findToken: () => Promise<string>;
};

const NOTHING = "Nothing was charged.";
const NOT_OFFERED = `PayPal doesn’t work in this browser. Please choose another way to pay. ${NOTHING}`;
const NOT_BEGUN = `PayPal couldn’t start this payment. Please try again in a moment. ${NOTHING}`;
const CANCELLED = `You left PayPal before approving the payment. ${NOTHING}`;
const BLOCKED = `Your browser blocked PayPal’s window. Please allow pop-ups for this page. ${NOTHING}`;
const FAILED = `PayPal couldn’t continue this payment. Please try again. ${NOTHING}`;
const APPROVAL_LOST = `We didn’t receive your approval from PayPal. Please try again. ${NOTHING}`;

/** Opens PayPal's own button inside `place`, for one payment (DON-19). It ends in an approval or a sentence. */
export function openPayPalButton(place: HTMLElement, setup: ButtonSetup, events: Events): PayPalButton {
  const container = document.createElement("div");
  place.append(container);
  let buttons: ReturnType<PayPalParts["paypal"]["Buttons"]> | undefined;
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    Promise.resolve(buttons?.close()).catch(() => {});
    container.remove();
  };
  const unlessClosed =
    <Values extends unknown[]>(act: (...values: Values) => void) =>
    (...values: Values) => {
      if (!isClosed) act(...values);
    };
  const guardedEvents = {
    ...events,
    onReady: unlessClosed(events.onReady),
    onOpened: unlessClosed(events.onOpened),
    onApproving: unlessClosed(events.onApproving),
    onApproved: unlessClosed((approval: PayPalApproval) => {
      close();
      events.onApproved(approval);
    }),
    onStopped: unlessClosed((sentence: string) => {
      close();
      events.onStopped(sentence);
    }),
  };
  const show = async ({ checkout, paypal }: PayPalParts) => {
    if (isClosed) return;
    const made = paypal.Buttons({
      fundingSource: paypal.FUNDING.PAYPAL,
      style: { color: "gold", shape: "pill", label: "paypal", height: 48 },
      ...answerPayPal(checkout, setup, guardedEvents),
    });
    if (!made.isEligible()) return guardedEvents.onStopped(NOT_OFFERED);
    buttons = made;
    await orNotLoaded(made.render(container));
    guardedEvents.onReady();
  };
  preparePayPal(setup.scriptsUrl, setup.findToken)
    .then(show)
    .catch((cause: Error) => guardedEvents.onStopped(cause.message));
  return { close };
}

/** The handlers of PayPal's button. After an approval, only a failed tokenisation stops the payment. */
function answerPayPal(checkout: PayPalCheckout, { amountCents, payee }: Sums, events: Events) {
  let isApproved = false;
  let fault: string | undefined;
  return {
    onClick: (_, actions) => (events.mayOpen() ? actions.resolve() : actions.reject()),
    async createOrder() {
      events.onOpened();
      try {
        return await checkout.createPayment({
          flow: "checkout",
          amount: (amountCents / 100).toFixed(2),
          currency: "AUD",
          intent: "capture",
          enableShippingAddress: false,
          displayName: payee,
        });
      } catch (cause) {
        // PayPal closes its window and reports the error; our prepared token may have expired.
        fault = NOT_BEGUN;
        forgetPayPal();
        throw cause;
      }
    },
    async onApprove(data) {
      if (isApproved) return;
      isApproved = true;
      events.onApproving();
      await checkout.tokenizePayment({ ...data, vault: false }).then(
        ({ nonce, type }) => events.onApproved({ nonce, type }),
        () => events.onStopped(APPROVAL_LOST),
      );
    },
    onCancel() {
      if (!isApproved) events.onStopped(CANCELLED);
    },
    onError(cause) {
      if (!isApproved) events.onStopped(fault ?? (isBlocked(cause) ? BLOCKED : FAILED));
    },
  } satisfies Partial<ButtonOptions>;
}

/** PayPal's SDK only shows it in the text of an error. */
const isBlocked = (cause: unknown) =>
  /pop-?up|window|blocked/i.test(cause instanceof Error ? cause.message : String(cause));
