import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CartCategory } from "#features/donations/cart.ts";
import { listCategoriesCall, payByCardCall, payByPayPalCall } from "#features/donations/contract.ts";
import { cardPayment, type PaymentBody, payPalPayment, priceCart } from "#features/donations/ui/donate/payment-body.ts";
import { type Checkout, checkoutCall, findPaymentCall, type Payment } from "#payments/checkout/contract.ts";
import { confirmPayment } from "#payments/checkout/ui/confirm-payment.ts";
import { type PaymentVerdict, readLookup, readPaymentAnswer } from "#payments/checkout/ui/outcome.ts";
import { call, type Send } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { createNonce, testCards, tokenise } from "#simulators/control.ts";
import { createScriptedBrowser } from "#test/scripted-browser.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";

/** One submission as the donor saw it. `told` has every definite statement about the money, in order. */
export type SentDonation = {
  readonly key: string;
  readonly email: string;
  /** The card token, or PayPal's nonce. */
  readonly instrument: string;
  readonly totalCents: number;
  readonly told: PaymentVerdict["kind"][];
  /** Answers that say nothing about the money, such as a 4xx: none is expected. */
  readonly refusals: string[];
  id: string | undefined;
};

/** The page waits 2 seconds or more between checks; a test's donor checks ten times as often. */
const eagerness = 10;

/**
 * A donor with their own browser and address, who prices, sends, waits and checks with the page's own code, with the same
 * Idempotency-Key for each repeat of a submission.
 */
export function createScriptedDonor({
  url,
  paywayUrl,
  address,
  random,
  payPalShare = 0,
  onAnswer = () => undefined,
  cookies = new Map(),
}: DonorOptions) {
  const send = createScriptedBrowser({ url, address, cookies, onAnswer });

  async function readShop(): Promise<{ checkout: Checkout; categories: CartCategory[] }> {
    const checkout = await untilAnswered(() => call(send, checkoutCall));
    const { categories } = await untilAnswered(() => call(send, listCategoriesCall));
    return { checkout, categories };
  }
  let shop: ReturnType<typeof readShop> | undefined;

  /** A donation ready to be sent: one or two lines of any cents, by card or PayPal, a solved captcha, a new key. */
  async function prepare(name: string): Promise<{ donation: SentDonation; body: PaymentBody }> {
    shop ??= readShop();
    const { checkout, categories } = await shop;
    const titles = random() < 0.5 ? ["Zakat"] : ["Sadaqah", "Patient Care"];
    const flow = {
      method: random() < payPalShare ? ("pp" as const) : ("cc" as const),
      personal: {
        firstName: "Amina",
        lastName: name,
        email: `${name}@donors.example`,
        postcode: "2144",
        isAnonymous: false,
      },
      lines: titles.map((category) => ({
        category,
        subcategory: "",
        quantity: 1,
        unitCents: 200 + Math.floor(random() * 50_000),
        onBehalfOf: [],
      })),
      coversAdminFee: random() < 0.7,
    };
    const challenge = await untilAnswered(() => readChallenge(send));
    const priced = priceCart(flow, categories, checkout.fees);
    const parts = { flow, priced, userId: 0, captcha: await solveCaptcha(challenge) };
    const instrument =
      flow.method === "pp"
        ? await createNonce(new URL(paywayUrl).origin)
        : await tokenise(paywayUrl, testCards.approved);
    const payment =
      flow.method === "pp"
        ? payPalPayment(parts, { nonce: instrument, type: "PayPalAccount" })
        : cardPayment(parts, instrument);
    // One browser donates thousands of times here, sometimes the same cart.
    const body = { ...payment, repeat: true };
    const { email } = flow.personal;
    const donation = {
      key: randomUUID(),
      email,
      instrument,
      totalCents: priced.totalCents,
      told: [],
      refusals: [],
      id: undefined,
    };
    return { donation, body };
  }

  const post = (donation: SentDonation, body: PaymentBody) => {
    const headers = { "idempotency-key": donation.key };
    return body.method === "braintree"
      ? call(send, payByPayPalCall, { body, headers })
      : call(send, payByCardCall, { body, headers });
  };
  const lookUp = (donation: SentDonation) =>
    call(send, findPaymentCall, { params: { id: donation.id ?? donation.key } });

  return {
    prepare,
    /** Sends once or looks up once, without retrying. */
    post,
    lookUp,
    /**
     * Sends the donation and, without a definite answer, carries on like the page: until the server says that it is
     * confirming, and then for `patienceMs`.
     */
    async submit(donation: SentDonation, body: PaymentBody, patienceMs: number): Promise<void> {
      const first = await post(donation, body);
      note(donation, first, readPaymentAnswer(first));
      if (readPaymentAnswer(first).kind !== "confirming") return;
      const patience = new AbortController();
      const began = Date.now();
      await confirmPayment({
        find: () => lookUp(donation).then((answer) => noted(donation, answer, readLookup)),
        resend: () => post(donation, body).then((answer) => noted(donation, answer, readPaymentAnswer)),
        onChallenge: async () => undefined,
        wait: async (ms) => {
          await sleep(ms / eagerness);
          if (donation.id !== undefined && Date.now() - began > patienceMs) patience.abort();
        },
        now: Date.now,
        signal: patience.signal,
      });
    },
    /** Comes back later and checks again. */
    async ask(donation: SentDonation): Promise<void> {
      const answer = await lookUp(donation);
      note(donation, answer, readLookup(answer));
    },
  };
}

type DonorOptions = {
  /** The browser's cookies, if several donors share one. */
  cookies?: Map<string, string>;
  readonly url: string;
  readonly paywayUrl: string;
  readonly address: string;
  /** Numbers from 0 to below 1. */
  readonly random: () => number;
  /** The share of donations by PayPal: 0 to 1. */
  readonly payPalShare?: number;
  /** Called with the status of every answer. */
  readonly onAnswer?: (status: number) => void;
};

function noted<Read extends (answer: Answer<Payment>) => PaymentVerdict | "unknown" | undefined>(
  donation: SentDonation,
  answer: Answer<Payment>,
  read: Read,
): Answer<Payment> {
  note(donation, answer, read(answer));
  return answer;
}

/** Records what an answer says about the money; nothing for no answer or an undecided one. */
function note(donation: SentDonation, answer: Answer<Payment>, verdict: PaymentVerdict | "unknown" | undefined) {
  if (verdict === undefined || verdict === "unknown") return;
  if (verdict.kind === "refused")
    donation.refusals.push(`${answer.status} ${verdict.error}: ${JSON.stringify(verdict.fields)}`);
  if ("data" in answer && answer.data !== undefined) {
    donation.id ??= answer.data.id;
    donation.told.push(verdict.kind);
  }
}

async function untilAnswered<Data>(ask: () => Promise<Answer<Data>>): Promise<Data> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (answer.ok) return answer.data;
    if (Date.now() > deadline)
      throw new Error(`A call was not answered within 60 s: ${answer.status} ${answer.message}`);
    await sleep(100);
  }
}

/** The challenge comes without the envelope, as the widget reads it. */
async function readChallenge(send: Send): Promise<Answer<object>> {
  const { status, text } = await send({ method: "GET", url: "/api/captcha", body: undefined, headers: {} }).catch(
    () => ({
      status: 0,
      text: "",
    }),
  );
  if (status === 200) return { ok: true, status, message: "", data: JSON.parse(text) };
  return { ok: false, status, error: "no_answer", message: "no challenge came" };
}
