import { createHash, createHmac } from "node:crypto";
import { z } from "zod";
import type { Provider } from "../provider.ts";
import { findByOrderReference, findPayment, listTransactions } from "./braintree-books.ts";
import { sendCharge } from "./braintree-charge.ts";
import { findRefund, sendRefund } from "./braintree-refunds.ts";
import { type BraintreeOptions, callBraintree, openGateway, type Reply } from "./braintree-sdk.ts";

export type { BraintreeOptions } from "./braintree-sdk.ts";

/** A signed notice of a change. It is a hint and no more: the books are asked what is true. */
export type Notification = { readonly kind: string; readonly transactionId: string | null };

export type Braintree = Provider & {
  /** What the page opens PayPal with; the same for ten minutes. Throws an Error when none can be had. */
  createClientToken(): Promise<string>;
  /** Null when the signature is not Braintree's or the payload cannot be read. */
  readNotification(notice: { signature: string; payload: string }): Promise<Notification | null>;
  /** What Braintree wants to hear when a webhook's address is entered in its control panel; null for what is no challenge. */
  answerChallenge(challenge: string): string | null;
};

const KEEP_TOKEN_MS = 10 * 60_000;

const Token = z.object({ success: z.literal(true), clientToken: z.string().min(1) });
const TransactionId = z.object({ id: z.string().min(1) });
const Notice = z.object({
  kind: z.string().min(1),
  transaction: TransactionId.optional().catch(undefined),
  dispute: z.object({ transaction: TransactionId }).optional().catch(undefined),
});

/** PayPal through Braintree, with its official SDK. */
export function createBraintree(options: BraintreeOptions): Braintree {
  return {
    name: "braintree",
    charge: (charge) => sendCharge(options, charge),
    findByOrderReference: (orderReference) => findByOrderReference(options, orderReference),
    refund: (request) => sendRefund(options, request),
    hasRefundKeys: options.hasRequestKeys,
    findRefund: (request) => findRefund(options, request),
    listTransactions: (days) => listTransactions(options, days),
    findPayment: ({ transactionId }) => findPayment(options, transactionId),
    checkCredentials: async () => {
      await generateToken(options);
    },
    createClientToken: keepToken(() => generateToken(options)),
    readNotification: (notice) => readNotification(options, notice),
    answerChallenge: (challenge) => answerChallenge(options, challenge),
  };
}

/** One call under way at a time; what fails is not kept. */
function keepToken(generate: () => Promise<string>): () => Promise<string> {
  let kept: { token: string; until: number } | null = null;
  let underWay: Promise<string> | null = null;
  const renew = async () => {
    try {
      const token = await generate();
      kept = { token, until: performance.now() + KEEP_TOKEN_MS };
      return token;
    } finally {
      underWay = null;
    }
  };
  return () => {
    if (kept !== null && performance.now() < kept.until) return Promise.resolve(kept.token);
    underWay ??= renew();
    return underWay;
  };
}

/** Throws with a sentence for the operator. It proves the keys, the merchant and the merchant account together. */
async function generateToken(options: BraintreeOptions): Promise<string> {
  const { merchantAccountId } = options;
  const reply = await callBraintree(options, (gateway) => gateway.clientToken.generate({ merchantAccountId }));
  if (reply.kind !== "answered") throw new Error(explainToOperator(reply, options));
  const token = Token.safeParse(reply.value);
  if (token.success) return token.data.clientToken;
  const isRefused = z.object({ success: z.literal(false) }).safeParse(reply.value).success;
  throw new Error(
    isRefused
      ? "Braintree makes no token for this merchant account: check BRAINTREE_MERCHANT_ACCOUNT_ID."
      : `Braintree's answer at ${options.url} cannot be read: check BRAINTREE_URL.`,
  );
}

function explainToOperator(reply: Exclude<Reply, { kind: "answered" }>, { url }: BraintreeOptions): string {
  if (reply.kind !== "refused") return `Braintree at ${url} does not answer as it should: ${reply.reason}.`;
  if (reply.status === 404) return "Braintree knows no such merchant (HTTP 404): check BRAINTREE_MERCHANT_ID.";
  return `Braintree does not accept the keys (HTTP ${reply.status}): check BRAINTREE_PUBLIC_KEY and BRAINTREE_PRIVATE_KEY.`;
}

async function readNotification(
  options: BraintreeOptions,
  { signature, payload }: { signature: string; payload: string },
): Promise<Notification | null> {
  try {
    const { webhookNotification } = await openGateway(options);
    const { kind, transaction, dispute } = Notice.parse(await webhookNotification.parse(signature, payload));
    return { kind, transactionId: transaction?.id ?? dispute?.transaction.id ?? null };
  } catch {
    return null;
  }
}

/** As the SDK's `webhookNotification.verify`, which would have to be loaded for it. */
function answerChallenge({ publicKey, privateKey }: BraintreeOptions, challenge: string): string | null {
  if (!/^[a-f0-9]{20,32}$/.test(challenge)) return null;
  const key = createHash("sha1").update(privateKey, "binary").digest();
  return `${publicKey}|${createHmac("sha1", key).update(challenge, "binary").digest("hex")}`;
}
