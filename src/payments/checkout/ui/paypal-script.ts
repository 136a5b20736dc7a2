import { loadScript } from "./load-script.ts";

type PayPal = {
  readonly FUNDING: { readonly PAYPAL: string };
  Buttons(options: ButtonOptions): {
    isEligible(): boolean;
    render(container: HTMLElement): Promise<void>;
    close(): Promise<void> | void;
  };
};
export type ButtonOptions = {
  readonly fundingSource: string;
  readonly style: Readonly<Record<string, string | number>>;
  readonly onClick: (data: unknown, actions: { resolve(): unknown; reject(): unknown }) => unknown;
  readonly createOrder: () => Promise<string>;
  readonly onApprove: (data: Record<string, unknown>) => Promise<void>;
  readonly onCancel: () => void;
  readonly onError: (cause: unknown) => void;
};
export type PayPalCheckout = {
  loadPayPalSDK(options: Record<string, unknown>): Promise<unknown>;
  createPayment(options: Record<string, unknown>): Promise<string>;
  tokenizePayment(data: Record<string, unknown>): Promise<{ readonly nonce: string; readonly type: string }>;
};
type Braintree = {
  readonly client?: { create(options: { authorization: string }): Promise<unknown> };
  readonly paypalCheckout?: { create(options: { client: unknown }): Promise<PayPalCheckout> };
};

const PREPARED_WITHIN_MS = 20_000;
export const NOT_LOADED =
  "PayPal didn’t load. PayPal or your connection may be interrupted, or something in your browser blocks paypal.com. Nothing was charged.";

const findPayPal = () => (window as { paypal?: PayPal }).paypal;
const findBraintree = () => (window as { braintree?: Braintree }).braintree;

export type PayPalParts = { readonly checkout: PayPalCheckout; readonly paypal: PayPal };

let prepared: Promise<PayPalParts> | undefined;

/** Prepares PayPal again next time, after a fault such as an expired token. */
export function forgetPayPal(): void {
  prepared = undefined;
}

/**
 * Loads Braintree's scripts, their token, and PayPal's SDK, which a page may load only once. Rejects with a sentence
 * for the payer, `findToken`'s own if it failed; the next try starts again.
 */
export function preparePayPal(scriptsUrl: string, findToken: () => Promise<string>): Promise<PayPalParts> {
  prepared ??= prepare(scriptsUrl, findToken).catch((cause) => {
    prepared = undefined;
    throw cause;
  });
  return prepared;
}

async function prepare(scriptsUrl: string, findToken: () => Promise<string>): Promise<PayPalParts> {
  const [authorization, clients, checkouts] = await Promise.all([
    findToken(),
    orNotLoaded(loadScript(`${scriptsUrl}/client.min.js`, () => findBraintree()?.client)),
    orNotLoaded(loadScript(`${scriptsUrl}/paypal-checkout.min.js`, () => findBraintree()?.paypalCheckout)),
  ]);
  const open = async () => {
    const checkout = await checkouts.create({ client: await clients.create({ authorization }) });
    return { checkout, paypal: findPayPal() ?? (await loadSdk(checkout)) };
  };
  return orNotLoaded(open());
}

/** Braintree adds PayPal's script itself, and doesn't report if it fails to load. */
async function loadSdk(checkout: PayPalCheckout): Promise<PayPal> {
  let fail = (_: Event) => {};
  const failed = new Promise<never>((_, reject) => {
    fail = ({ target }) => {
      if (!(target instanceof HTMLScriptElement)) return;
      target.remove();
      reject(new Error(`${target.src} did not load`));
    };
  });
  addEventListener("error", fail, true);
  try {
    await Promise.race([checkout.loadPayPalSDK({ currency: "AUD", intent: "capture" }), failed]);
  } finally {
    removeEventListener("error", fail, true);
  }
  const paypal = findPayPal();
  if (paypal === undefined) throw new Error("The PayPal script defined nothing");
  return paypal;
}

/** Rejects with `NOT_LOADED` if the work fails or takes over 20 seconds. */
export function orNotLoaded<Result>(work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(NOT_LOADED));
    const timer = setTimeout(fail, PREPARED_WITHIN_MS);
    work.then(resolve, fail).finally(() => clearTimeout(timer));
  });
}
