import { z } from "zod";
import { type Call, json, type SimulatedAnswer } from "../exchange.ts";
import type { Fault } from "../faults.ts";
import type { Settings } from "../settings.ts";
import type { Approvals } from "./approvals.ts";
import { clientApiUrl, isAuthorised } from "./client-token.ts";

export type ClientApi = {
  readonly settings: Settings["braintree"];
  readonly approvals: Approvals;
  /** Creates the nonce of an approved payment, once. */
  createNonce(kind: "paypal" | "fault"): string;
  now(): number;
};

const ASSETS = "https://assets.braintreegateway.com";

const Authorised = z.object({ authorizationFingerprint: z.string() });
const PaymentResource = z.object({
  amount: z.coerce.string().regex(/^\d{1,9}(\.\d{1,2})?$/),
  currencyIsoCode: z.literal("AUD"),
  intent: z.enum(["sale", "authorize", "order"]).default("authorize"),
  experienceProfile: z.object({ brandName: z.string().optional() }).optional(),
});
const PayPalAccount = z.object({ paypalAccount: z.object({ paymentToken: z.string(), payerId: z.string() }) });

/** Answers the requests of a page's SDK; `path` is the part after `client_api/v1/`. */
export function answerClientApi(call: Call, path: string, fault: Fault | null, api: ClientApi): SimulatedAnswer {
  const asked = call.method === "GET" ? Object.fromEntries(call.query) : parse(call.body);
  const authorised = Authorised.safeParse(asked);
  if (!authorised.success || !isAuthorised(authorised.data.authorizationFingerprint, api.settings, api.now())) {
    return refuse(401, "Invalid authorization fingerprint");
  }
  switch (`${call.method} ${path}`) {
    case "GET configuration":
      return fault?.do === "configuration_403" ? refuse(403, "Not allowed") : json(200, describeGateway(api.settings));
    case "POST paypal_hermes/create_payment_resource":
      return fault?.do === "create_payment_422" ? refuse(422, "Not a valid payment") : createPayment(asked, api);
    case "POST payment_methods/paypal_accounts":
      return fault?.do === "token_422" ? refuse(422, "PayPal account refused") : exchangeApproval(asked, api);
    default:
      return refuse(404, "There is no such call");
  }
}

/** The gateway's configuration. Its addresses are the sandbox's: the real SDK refuses any other. */
function describeGateway({ merchantId, merchantAccountId }: Settings["braintree"]): unknown {
  return {
    clientApiUrl: clientApiUrl(merchantId),
    assetsUrl: ASSETS,
    environment: "sandbox",
    merchantId,
    merchantAccountId,
    challenges: [],
    creditCards: { supportedCardTypes: [] },
    threeDSecureEnabled: false,
    paypalEnabled: true,
    paypal: {
      displayName: "Simulated merchant",
      clientId: "simulated-client-id",
      assetsUrl: ASSETS,
      environment: "offline",
      environmentNoNetwork: false,
      unvettedMerchant: false,
      merchantAccountId,
      currencyIsoCode: "AUD",
    },
  };
}

function createPayment(asked: unknown, { approvals }: ClientApi): SimulatedAnswer {
  const resource = PaymentResource.safeParse(asked);
  if (!resource.success || Number(resource.data.amount) <= 0) return refuse(422, "Amount or currency is invalid");
  const { amount, currencyIsoCode, intent, experienceProfile } = resource.data;
  const { token, paymentId } = approvals.begin({
    payee: experienceProfile?.brandName ?? "Simulated merchant",
    amount: Number(amount).toFixed(2),
    currency: currencyIsoCode,
  });
  const redirectUrl = `https://www.sandbox.paypal.com/checkoutnow?token=${token}`;
  return json(201, { paymentResource: { paymentToken: paymentId, intent, redirectUrl } });
}

/** A nonce for a payment approved in the window: one only, and none for any other payment. */
function exchangeApproval(asked: unknown, { approvals, createNonce }: ClientApi): SimulatedAnswer {
  const account = PayPalAccount.safeParse(asked);
  const approval = account.success ? approvals.find(account.data.paypalAccount.paymentToken) : undefined;
  if (approval === undefined || approval.payerId !== account.data?.paypalAccount.payerId) {
    return refuse(422, "PayPal payment not found");
  }
  if (approval.state === "open" || approval.state === "exchanged") return refuse(422, "PayPal payment is not approved");
  const nonce = createNonce(approval.state === "fault" ? "fault" : "paypal");
  approval.state = "exchanged";
  const payerInfo = {
    email: "payer@example.com",
    payerId: approval.payerId,
    firstName: "Simulated",
    lastName: "Payer",
  };
  const paypalAccount = { type: "PayPalAccount", nonce, description: "PayPal", consumed: false };
  return json(201, { paypalAccounts: [{ ...paypalAccount, details: { payerInfo, correlationId: null } }] });
}

function refuse(status: number, message: string): SimulatedAnswer {
  return json(status, { error: { message } });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
