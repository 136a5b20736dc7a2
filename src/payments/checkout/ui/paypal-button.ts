import {
  type ButtonOptions,
  forgetPayPal,
  orNotLoaded,
  type PayPalCheckout,
  type PayPalParts,
  preparePayPal,
} from "./paypal-script.ts";

/** What stands for a payment that was approved at PayPal; it charges nothing yet. */
export type Approval = { readonly nonce: string; readonly type: string };

export type PayPalButton = {
  /** Takes the button away, also while it is still being made; what PayPal says afterwards is not heard any more. */
  close(): void;
};

type Sums = { readonly amountCents: number /** Who is paid, as PayPal shows it. */; readonly payee: string };
type Events = {
  /** Whether PayPal's window may open now; asked at each press. */
  readonly mayOpen: () => boolean;
  readonly onReady: () => void;
  readonly onOpened: () => void;
  readonly onApproving: () => void;
  readonly onApproved: (approval: Approval) => void;
  /** With a sentence for the person; the button is gone then. */
  readonly onStopped: (sentence: string) => void;
};
export type ButtonSetup = Sums & {
  readonly scriptsUrl: string;
  /** The client token; rejects with a sentence for the person. */
  readonly findToken: () => Promise<string>;
};

const NOTHING = "Nothing was charged.";
const NOT_OFFERED = `PayPal cannot be used in this browser. Please choose another way to pay. ${NOTHING}`;
const NOT_BEGUN = `PayPal could not begin this payment. Please try again in a moment. ${NOTHING}`;
const CANCELLED = `You left PayPal before you approved the payment. ${NOTHING}`;
const BLOCKED = `Your browser kept PayPal's window from opening. Please allow pop-up windows for this page. ${NOTHING}`;
const FAILED = `PayPal could not go on with this payment. Please try again, or choose another way to pay. ${NOTHING}`;
const NOT_HEARD = `Your approval did not reach us from PayPal. Please try again. ${NOTHING}`;

/** Sets PayPal's own button up inside `place`, for one payment (DON-19). It ends in an approval, or in a sentence. */
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
  const heard = {
    ...events,
    onReady: unlessClosed(events.onReady),
    onOpened: unlessClosed(events.onOpened),
    onApproving: unlessClosed(events.onApproving),
    onApproved: unlessClosed((approval: Approval) => {
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
      ...answerPayPal(checkout, setup, heard),
    });
    if (!made.isEligible()) return heard.onStopped(NOT_OFFERED);
    buttons = made;
    await orNotLoaded(made.render(container));
    heard.onReady();
  };
  preparePayPal(setup.scriptsUrl, setup.findToken)
    .then(show)
    .catch((cause: Error) => heard.onStopped(cause.message));
  return { close };
}

/** What the button does at each thing that PayPal says. After an approval nothing takes it back but a lost answer. */
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
        // PayPal closes its window and reports the error; what was prepared may be out of date.
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
        () => events.onStopped(NOT_HEARD),
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

/** PayPal's SDK tells it by the words of an error alone. */
const isBlocked = (cause: unknown) =>
  /pop-?up|window|blocked/i.test(cause instanceof Error ? cause.message : String(cause));
