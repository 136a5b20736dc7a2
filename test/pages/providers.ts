import { vi } from "vitest";

// jsdom loads no scripts: these are the globals that those of PayWay, Braintree and PayPal define.

/** The answer of a server that takes cards with 3-D Secure and PayPal. */
export const describedCheckout = {
  currency: "AUD",
  fees: { adminPercent: 5, cardPercent: 1.5, paypalPercent: 3 },
  limits: { minimum: 2, maximum: 50_000 },
  payway: {
    scriptUrl: "https://bank.example/payway.js",
    publishableKey: "T10000_PUB",
    isAvailable: true,
    message: "",
    asksBank: true,
  },
  paypal: { isAvailable: true, message: "", scriptsUrl: "https://paypal.example/js" },
  captcha: { provider: "altcha", challengeUrl: "/api/captcha" },
};

export const token = "7f3c1f5e-29a7-4f0c-9c25-0d4d3f4d9c11";
export const frame = {
  isValid: true,
  made: 0,
  destroyed: 0,
  isBroken: false,
  error: undefined as { message: string } | undefined,
};

type Challenge = { singleUseTokenId: string; onSuccess(): void; onFailure(): void };
/** The bank's page, once it is open. */
export const challenge = {
  shown: undefined as Challenge | undefined,
  made: 0,
  destroyed: 0,
  error: undefined as { message: string } | undefined,
};

type Buttons = {
  onClick(data: unknown, actions: { resolve(): boolean; reject(): boolean }): boolean;
  createOrder(): Promise<string>;
  onApprove(data: object): Promise<void>;
  onCancel(): void;
  onError(error: Error): void;
};
/** PayPal's button once set up, its options, and how often the SDK was loaded. */
export const payPal = {
  buttons: undefined as Buttons | undefined,
  style: {} as object,
  payment: {} as object,
  sdkOptions: {} as object,
  authorization: "",
  sdks: 0,
  made: 0,
  closed: 0,
  nonce: "d1e2a3d4-b5e6-0f7a-8b9c-paypal",
  /** The parts that fail at the moment. */
  broken: new Set<"scripts" | "sdk" | "create" | "tokenize">(),
};

type Options = { container: string; onValid(): void };
type Callback = (error: unknown, answer?: unknown) => void;
const payway = {
  createCreditCardFrame({ container, onValid }: Options, created: Callback) {
    frame.made += 1;
    document.getElementById(container)?.append(document.createElement("iframe"));
    const getToken = (give: Callback) =>
      frame.error ? give(frame.error) : give(undefined, { singleUseTokenId: token });
    setTimeout(() => {
      if (frame.isBroken) return created({ message: "away" });
      created(undefined, { getToken, destroy: () => (frame.destroyed += 1) });
      if (frame.isValid) onValid();
    });
  },
  createChallengeFrame(options: Challenge & { container: string }, created: Callback) {
    challenge.made += 1;
    challenge.shown = options;
    document.getElementById(options.container)?.append(document.createElement("iframe"));
    created(challenge.error, { destroy: () => (challenge.destroyed += 1) });
  },
};

const paypalSdk = {
  FUNDING: { PAYPAL: "paypal" },
  Buttons({ style, ...buttons }: Buttons & { style: object }) {
    Object.assign(payPal, { buttons, style, made: payPal.made + 1 });
    const close = async () => {
      payPal.closed += 1;
    };
    return { isEligible: () => true, render: async () => {}, close };
  },
};
const checkout = {
  async loadPayPalSDK(options: object) {
    if (payPal.broken.has("sdk")) {
      const script = document.createElement("script");
      document.body.append(script);
      script.dispatchEvent(new Event("error"));
      return new Promise(() => {});
    }
    Object.assign(payPal, { sdkOptions: options, sdks: payPal.sdks + 1 });
    return Object.assign(window, { paypal: paypalSdk });
  },
  async createPayment(payment: object) {
    if (payPal.broken.has("create")) throw new Error("422");
    payPal.payment = payment;
    return "EC-1";
  },
  async tokenizePayment() {
    if (payPal.broken.has("tokenize")) throw new Error("500");
    return { nonce: payPal.nonce, type: "PayPalAccount", details: { email: "sana.pays@example.com" } };
  },
};
const braintree = {
  client: {
    async create({ authorization }: { authorization: string }) {
      payPal.authorization = authorization;
      return {};
    },
  },
  paypalCheckout: { create: async () => checkout },
};

/** Lets scripts 'load', and resets what earlier tests did. */
export function stubProviders() {
  Object.assign(frame, { isValid: true, made: 0, destroyed: 0, isBroken: false, error: undefined });
  Object.assign(challenge, { shown: undefined, made: 0, destroyed: 0, error: undefined });
  Object.assign(payPal, { buttons: undefined, payment: {}, authorization: "", made: 0, closed: 0 });
  payPal.broken.clear();
  const { append } = document.head;
  vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
    const [script] = nodes;
    if (!(script instanceof HTMLScriptElement)) return append.apply(document.head, nodes);
    const isPayWay = script.src.endsWith("payway.js");
    if (!isPayWay && payPal.broken.has("scripts")) return void setTimeout(() => script.onerror?.(new Event("error")));
    Object.assign(window, isPayWay ? { payway } : { braintree });
    setTimeout(() => script.onload?.(new Event("load")));
  });
}
