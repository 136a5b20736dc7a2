import { createHash, createHmac } from "node:crypto";
import { z } from "zod";
import type { Provider } from "../provider.ts";
import { findBraintreeByReference, findBraintreePayment, listBraintreeTransactions } from "./braintree-books.ts";
import { sendBraintreeCharge } from "./braintree-charge.ts";
import { findBraintreeRefund, sendBraintreeRefund } from "./braintree-refunds.ts";
import { type BraintreeOptions, type BraintreeReply, callBraintree, openGateway } from "./braintree-sdk.ts";

export type { BraintreeOptions } from "./braintree-sdk.ts";

/** A signed notice of a change. It is only a hint: we look the transaction up in Braintree's books. */
type BraintreeNotification = { readonly kind: string; readonly transactionId: string | null };

export type Braintree = Provider & {
  /** The token for opening PayPal, cached for ten minutes. @throws Error if Braintree gives none. */
  createClientToken(): Promise<string>;
  /** Null if the signature is not Braintree's or the payload can't be read. */
  readNotification(notice: { signature: string; payload: string }): Promise<BraintreeNotification | null>;
  /** The reply with which Braintree's control panel verifies a webhook's address; null if `challenge` is malformed. */
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
    charge: (charge) => sendBraintreeCharge(options, charge),
    findByOrderReference: (orderReference) => findBraintreeByReference(options, orderReference),
    refund: (request) => sendBraintreeRefund(options, request),
    hasRefundKeys: options.hasRequestKeys,
    findRefund: (request) => findBraintreeRefund(options, request),
    listTransactions: (days) => listBraintreeTransactions(options, days),
    findPayment: ({ transactionId }) => findBraintreePayment(options, transactionId),
    checkCredentials: async () => {
      await generateToken(options);
    },
    createClientToken: keepToken(() => generateToken(options)),
    readNotification: (notice) => readNotification(options, notice),
    answerChallenge: (challenge) => answerChallenge(options, challenge),
  };
}

/** Makes one call at a time and caches only successes. */
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

/** Success proves the keys, merchant and merchant account. @throws Error with a sentence for the operator. */
async function generateToken(options: BraintreeOptions): Promise<string> {
  const { merchantAccountId } = options;
  const reply = await callBraintree(options, (gateway) => gateway.clientToken.generate({ merchantAccountId }));
  if (reply.kind !== "answered") throw new Error(explainToOperator(reply, options));
  const token = Token.safeParse(reply.value);
  if (token.success) return token.data.clientToken;
  const isRefused = z.object({ success: z.literal(false) }).safeParse(reply.value).success;
  throw new Error(
    isRefused
      ? "Braintree gives no token for this merchant account: check BRAINTREE_MERCHANT_ACCOUNT_ID."
      : `Braintree's answer at ${options.url} cannot be read: check BRAINTREE_URL.`,
  );
}

function explainToOperator(reply: Exclude<BraintreeReply, { kind: "answered" }>, { url }: BraintreeOptions): string {
  if (reply.kind !== "refused") return `Braintree at ${url} does not work: ${reply.reason}.`;
  if (reply.status === 404) return "Braintree doesn't know this merchant (HTTP 404): check BRAINTREE_MERCHANT_ID.";
  return `Braintree does not accept the keys (HTTP ${reply.status}): check BRAINTREE_PUBLIC_KEY and BRAINTREE_PRIVATE_KEY.`;
}

async function readNotification(
  options: BraintreeOptions,
  { signature, payload }: { signature: string; payload: string },
): Promise<BraintreeNotification | null> {
  try {
    const { webhookNotification } = await openGateway(options);
    const { kind, transaction, dispute } = Notice.parse(await webhookNotification.parse(signature, payload));
    return { kind, transactionId: transaction?.id ?? dispute?.transaction.id ?? null };
  } catch {
    return null;
  }
}

/** Does what the SDK's `webhookNotification.verify` does, without loading the SDK. */
function answerChallenge({ publicKey, privateKey }: BraintreeOptions, challenge: string): string | null {
  if (!/^[a-f0-9]{20,32}$/.test(challenge)) return null;
  const key = createHash("sha1").update(privateKey, "binary").digest();
  return `${publicKey}|${createHmac("sha1", key).update(challenge, "binary").digest("hex")}`;
}
