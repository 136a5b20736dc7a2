import { loadScript } from "#shared/ui/load-script.ts";

/** What is used here of PayPal's SDK, of Braintree's, and of what a click on the button is answered with. */
export type PayPal = {
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
  "PayPal did not load. Please check your connection, and whether something blocks paypal.com. Nothing was charged.";

const findPayPal = () => (window as { paypal?: PayPal }).paypal;
const findBraintree = () => (window as { braintree?: Braintree }).braintree;

export type PayPalParts = { readonly checkout: PayPalCheckout; readonly paypal: PayPal };

let prepared: Promise<PayPalParts> | undefined;

/** After a fault that may lie in what was prepared, such as a token that is out of date, it is prepared anew. */
export function forgetPayPal(): void {
  prepared = undefined;
}

/**
 * Braintree's scripts, a token for them, and PayPal's SDK, which may be there only once: prepared once for the page's life.
 * Rejects with a sentence for the person, `findToken`'s own where no token came; the next try then begins again.
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

/** Braintree adds PayPal's script itself, and says nothing when it does not come. */
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
  if (paypal === undefined) throw new Error("PayPal's script left nothing behind");
  return paypal;
}

/** Within 20 seconds, or with the sentence that says so. */
export function orNotLoaded<Result>(work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(NOT_LOADED));
    const timer = setTimeout(fail, PREPARED_WITHIN_MS);
    work.then(resolve, fail).finally(() => clearTimeout(timer));
  });
}
