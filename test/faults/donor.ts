import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Category } from "#features/donations/cart.ts";
import { listCategoriesCall, payByCardCall, payByPayPalCall } from "#features/donations/contract.ts";
import {
  cardPayment,
  type DonationPayment,
  payPalPayment,
  priceCart,
} from "#features/donations/ui/donate/payment-body.ts";
import { type Checkout, checkoutCall, findPaymentCall, type Payment } from "#payments/checkout/contract.ts";
import { confirmPayment } from "#payments/checkout/ui/confirm-payment.ts";
import { readLookUp, readPaymentAnswer, type Verdict } from "#payments/checkout/ui/outcome.ts";
import { call, type Send } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { createNonce, testCards, tokenise } from "#simulators/control.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";

/** One submission as the donor lived it. `told` is every definite word about the money, in order. */
export type Gift = {
  readonly key: string;
  readonly email: string;
  /** The card token, or what stands for an approval at PayPal. */
  readonly instrument: string;
  readonly totalCents: number;
  readonly told: Verdict["kind"][];
  /** The answers that were not about the money at all, such as a 4xx: none is expected. */
  readonly refusals: string[];
  id: string | undefined;
};

const answerMs = 15_000;
/** The page waits 2 seconds and longer between two looks; a test's donor is ten times as eager. */
const eagerness = 10;

/**
 * Somebody with a browser and an address of their own, who prices, sends, waits and asks with the page's own code, and
 * the same Idempotency-Key for each repeat of one submission.
 */
export function createDonor({
  url,
  paywayUrl,
  address,
  random,
  payPalShare = 0,
  onAnswer,
  cookies = new Map(),
}: DonorOptions) {
  const send: Send = async ({ method, url: path, body, headers }) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
        "x-xsrf-token": cookies.get("XSRF-TOKEN") ?? "",
        "x-forwarded-for": address,
        ...headers,
      },
      signal: AbortSignal.timeout(answerMs),
      ...(body === undefined ? {} : { body }),
    });
    onAnswer?.(response.status);
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";", 1)[0]!.split("=");
      cookies.set(name, value);
    }
    return { status: response.status, text: await response.text() };
  };

  async function readShop(): Promise<{ checkout: Checkout; categories: Category[] }> {
    const checkout = await untilAnswered(() => call(send, checkoutCall));
    const { categories } = await untilAnswered(() => call(send, listCategoriesCall));
    return { checkout, categories };
  }
  let shop: ReturnType<typeof readShop> | undefined;

  /** A gift ready to be sent: one or two lines of any cents, by card or PayPal, a solved captcha, a new key. */
  async function prepare(name: string): Promise<{ gift: Gift; body: DonationPayment }> {
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
    // One browser gives thousands of times here, now and then the same.
    const body = { ...payment, repeat: true };
    const { email } = flow.personal;
    const gift = {
      key: randomUUID(),
      email,
      instrument,
      totalCents: priced.totalCents,
      told: [],
      refusals: [],
      id: undefined,
    };
    return { gift, body };
  }

  const post = (gift: Gift, body: DonationPayment) => {
    const headers = { "idempotency-key": gift.key };
    return body.method === "braintree"
      ? call(send, payByPayPalCall, { body, headers })
      : call(send, payByCardCall, { body, headers });
  };
  const look = (gift: Gift) => call(send, findPaymentCall, { params: { id: gift.id ?? gift.key } });

  return {
    prepare,
    /** One sending, and one look-up, without a second try. */
    post,
    look,
    /**
     * Sends the gift and, without a definite answer, goes on as the page does: until the server has said at least that it
     * is confirming, and then for `patienceMs`.
     */
    async submit(gift: Gift, body: DonationPayment, patienceMs: number): Promise<void> {
      const first = await post(gift, body);
      note(gift, first, readPaymentAnswer(first));
      if (readPaymentAnswer(first).kind !== "confirming") return;
      const patience = new AbortController();
      const began = Date.now();
      await confirmPayment({
        find: () => look(gift).then((answer) => noted(gift, answer, readLookUp)),
        resend: () => post(gift, body).then((answer) => noted(gift, answer, readPaymentAnswer)),
        onChallenge: async () => undefined,
        wait: async (ms) => {
          await sleep(ms / eagerness);
          if (gift.id !== undefined && Date.now() - began > patienceMs) patience.abort();
        },
        now: Date.now,
        signal: patience.signal,
        noun: "donation",
      });
    },
    /** Comes back later and asks once more. */
    async ask(gift: Gift): Promise<void> {
      const answer = await look(gift);
      note(gift, answer, readLookUp(answer));
    },
  };
}

type DonorOptions = {
  /** What the browser keeps, where several donors are one. */
  cookies?: Map<string, string>;
  readonly url: string;
  readonly paywayUrl: string;
  readonly address: string;
  /** Numbers from 0 to below 1. */
  readonly random: () => number;
  /** How many of the gifts go by PayPal: 0 to 1. */
  readonly payPalShare?: number;
  /** Hears the status of every answer that came. */
  readonly onAnswer?: (status: number) => void;
};

function noted<Read extends (answer: Answer<Payment>) => Verdict | "unknown" | undefined>(
  gift: Gift,
  answer: Answer<Payment>,
  read: Read,
): Answer<Payment> {
  note(gift, answer, read(answer));
  return answer;
}

/** Keeps what an answer said of the money; no answer, or one that knows nothing yet, is no word. */
function note(gift: Gift, answer: Answer<Payment>, verdict: Verdict | "unknown" | undefined) {
  if (verdict === undefined || verdict === "unknown") return;
  if (verdict.kind === "refused")
    gift.refusals.push(`${answer.status} ${verdict.error}: ${JSON.stringify(verdict.fields)}`);
  if ("data" in answer && answer.data !== undefined) {
    gift.id ??= answer.data.id;
    gift.told.push(verdict.kind);
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

/** The challenge stands alone, without the envelope, as its widget reads it. */
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
