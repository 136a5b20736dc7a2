import { providerNames } from "../payment-words.ts";
import type { ProviderName } from "../tables.ts";

/** Before the reason of a refund that waited until it was given up. */
export const NEVER_SENT = "it could not be sent for days: ";

const blocked = "The bank has blocked the card, so the money has to go back another way.";
const aboveLimit = "It is above a limit of the bank or of PayWay.";

/** What PayWay's response codes say of a refund. */
const refusedByBank: Readonly<Record<string, string>> = {
  "04": blocked,
  "14": "The card is not valid any more, so the money has to go back another way.",
  "43": blocked,
  "54": "The card has expired, so the money has to go back another way.",
  "61": aboveLimit,
  "65": aboveLimit,
  QD: aboveLimit,
  QY: "PayWay does not take this kind of card.",
};

/** What the reasons of the adapters and of our own rules mean; a pattern's group is the code that goes with it. */
const meanings: readonly (readonly [RegExp, (name: string, code: string) => string])[] = [
  [/'s refund is \w+ \((\w+)\)$/, (_, code) => refusedByBank[code] ?? "The bank declined it and did not say why."],
  [/'s refund is (\w+)/, (name) => `${name} declined it.`],
  [
    /refused the call \((HTTP \d+)\)|answered (HTTP 40[13])|(BRAINTREE_REQUEST_KEYS=off)$/,
    (name) => `${name} does not accept the settings of the site: tell whoever runs the server.`,
  ],
  [
    /cannot be (?:reached|read now)(?:.*?\b(HTTP \d+|E[A-Z_]{4,}))?/,
    (name) => `The site could not reach ${name}, or could not read its answer.`,
  ],
  [/limiting our calls \((HTTP \d+)\)/, (name) => `${name} takes no more calls from the site at the moment.`],
  [
    /refused (principalAmount .*)$/,
    (name) => `${name} does not accept the amount: less of the payment may be left there.`,
  ],
  [/refused (parentTransactionId .*)$/, (name) => `${name} does not let this payment be refunded.`],
  [/^\w+ refused (.*)$/, (name) => `${name} does not accept this refund.`],
  [/no such transaction/, (name) => `${name} does not know the payment.`],
  [
    /not settled yet/,
    (name) => `The payment is not complete at ${name} yet, and until then only all of it can go back.`,
  ],
  [
    /already been fully refunded|already refunded the money/,
    (name) => `All of this payment has already gone back from ${name}.`,
  ],
  [
    /the payment is (\w+): there is nothing to refund/,
    (name) => `${name} did not keep the charge: nothing is left of it.`,
  ],
  [/no trace of this refund/, (name) => `${name} has no trace of this refund.`],
];

/** Why a provider did not make a refund: for staff, in plain words, with the code to name when asking the provider. */
export function explainRefusal(reason: string, provider: ProviderName): string {
  if (reason.startsWith(NEVER_SENT)) {
    return `It could not be sent for days. ${explainRefusal(reason.slice(NEVER_SENT.length), provider)}`;
  }
  for (const [pattern, explain] of meanings) {
    const found = pattern.exec(reason);
    if (found === null) continue;
    const code = found.slice(1).find((group) => group !== undefined) ?? "";
    const sentence = explain(providerNames[provider], code);
    return code === "" ? sentence : `${sentence} Code: ${code.replace(/\.?$/, ".")}`;
  }
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`.replace(/[.\s]*$/, ".");
}
