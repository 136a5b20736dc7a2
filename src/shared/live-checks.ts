import type { Organisation } from "./organisation.ts";
import { listUnfilledDetails } from "./organisation.ts";

/** Settings that matter for real money, by environment variable. */
export type LiveSettings = {
  readonly PAYWAY_URL?: string | undefined;
  readonly PAYWAY_SECRET_KEY: string;
  readonly PAYWAY_PUBLISHABLE_KEY: string;
  readonly PAYWAY_MERCHANT_ID: string;
  readonly PAYPAL: "on" | "off";
  readonly BRAINTREE_URL?: string | undefined;
  readonly BRAINTREE_MERCHANT_ID: string;
  readonly BRAINTREE_PUBLIC_KEY: string;
  readonly BRAINTREE_PRIVATE_KEY: string;
  readonly BRAINTREE_MERCHANT_ACCOUNT_ID: string;
  readonly PUBLIC_URL?: string | undefined;
  readonly TRUST_PROXY?: string | undefined;
  readonly METRICS_TOKEN?: string | undefined;
  readonly SECRET_KEY?: string | undefined;
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM: string;
  readonly CAPTCHA_PROVIDER: string;
  readonly CAPTCHA_COST: number;
  readonly CAPTCHA_SECRET_KEY?: string | undefined;
  readonly CRASH_POINT?: string | undefined;
};

/** What a check is about, in the order of the back office. */
export const liveTopics = {
  cards: "Card payments",
  paypal: "PayPal",
  organisation: "Your organisation",
  mail: "Email",
  address: "The site’s address and its server",
  captcha: "Captcha",
} as const;
export type LiveTopic = keyof typeof liveTopics;

type LiveCheck = {
  readonly topic: LiveTopic;
  /** The requirement, with the setting's name. docs/operations.md lists it word for word. */
  readonly sentence: string;
  readonly isMet: (settings: LiveSettings, organisation: Organisation) => boolean;
};

const testCaptchaKeys = /^(1x|2x|3x)0{10}|^6LeIxAcTAAAAA|^0x0{20}|^10000000-ffff/;
/** The top-level domain reserved for examples (RFC 2606), which receives no mail. */
const exampleAddress = /@[^@\s>]*\.example>?$/;
const braintreeKeys = [
  "BRAINTREE_MERCHANT_ID",
  "BRAINTREE_PUBLIC_KEY",
  "BRAINTREE_PRIVATE_KEY",
  "BRAINTREE_MERCHANT_ACCOUNT_ID",
] as const;
const DEMO_ABN = "99000000000";

/** The requirements of `PAYMENTS=live`, checked before the site starts: no test setting may be used with real money. */
export const liveChecks: readonly LiveCheck[] = [
  {
    topic: "cards",
    sentence: "PAYWAY_URL must be the provider's https address",
    isMet: ({ PAYWAY_URL }) => PAYWAY_URL?.startsWith("https://") === true,
  },
  {
    topic: "cards",
    sentence: "PAYWAY_SECRET_KEY must not be a test key",
    isMet: ({ PAYWAY_SECRET_KEY }) => !PAYWAY_SECRET_KEY.startsWith("T"),
  },
  {
    topic: "cards",
    sentence: "PAYWAY_PUBLISHABLE_KEY must not be a test key",
    isMet: ({ PAYWAY_PUBLISHABLE_KEY }) => !PAYWAY_PUBLISHABLE_KEY.startsWith("T"),
  },
  {
    topic: "cards",
    sentence: "PAYWAY_MERCHANT_ID must not be the test merchant",
    isMet: ({ PAYWAY_MERCHANT_ID }) => PAYWAY_MERCHANT_ID !== "TEST",
  },
  {
    topic: "paypal",
    sentence: "BRAINTREE_URL must be production or an https address, or PAYPAL off",
    isMet: ({ PAYPAL, BRAINTREE_URL = "production" }) =>
      PAYPAL === "off" || BRAINTREE_URL === "production" || BRAINTREE_URL.startsWith("https:"),
  },
  {
    topic: "paypal",
    sentence:
      "BRAINTREE_MERCHANT_ID, _PUBLIC_KEY, _PRIVATE_KEY and _MERCHANT_ACCOUNT_ID must be your own, or PAYPAL off",
    isMet: (settings) =>
      settings.PAYPAL === "off" || !braintreeKeys.some((key) => settings[key].startsWith("simulator")),
  },
  {
    topic: "address",
    sentence: "PUBLIC_URL must be the site's https address",
    isMet: ({ PUBLIC_URL }) => PUBLIC_URL?.startsWith("https://") === true,
  },
  {
    topic: "address",
    sentence: "TRUST_PROXY must name the proxy that takes https, or every visitor counts as one address",
    isMet: ({ TRUST_PROXY }) => TRUST_PROXY !== undefined,
  },
  {
    topic: "address",
    sentence: "METRICS_TOKEN must be set, or everybody may read /metrics through the proxy",
    isMet: ({ METRICS_TOKEN }) => METRICS_TOKEN !== undefined,
  },
  {
    topic: "address",
    sentence: "SECRET_KEY must be set, to the text in DATA_DIR/secret-key if the site has started without it",
    isMet: ({ SECRET_KEY }) => SECRET_KEY !== undefined,
  },
  {
    topic: "mail",
    sentence: "SMTP_URL must be set, or the built-in mailbox would show everybody's mail",
    isMet: ({ SMTP_URL }) => SMTP_URL !== undefined,
  },
  {
    topic: "mail",
    sentence: "MAIL_FROM must be an address of your own",
    isMet: ({ MAIL_FROM }) => !exampleAddress.test(MAIL_FROM),
  },
  {
    topic: "organisation",
    sentence:
      "The organisation's details must be your own: no placeholder, not the demo's ABN, no email address in .example",
    isMet: (_, organisation) => isOwnOrganisation(organisation),
  },
  {
    topic: "captcha",
    sentence: "CAPTCHA_COST must be at least 2000",
    isMet: ({ CAPTCHA_PROVIDER, CAPTCHA_COST }) => CAPTCHA_PROVIDER !== "altcha" || CAPTCHA_COST >= 2000,
  },
  {
    topic: "captcha",
    sentence: "CAPTCHA_SECRET_KEY must not be a test key",
    isMet: ({ CAPTCHA_SECRET_KEY = "" }) => !testCaptchaKeys.test(CAPTCHA_SECRET_KEY),
  },
  {
    topic: "address",
    sentence: "CRASH_POINT must be empty: it is for tests",
    isMet: ({ CRASH_POINT }) => CRASH_POINT === undefined,
  },
];

/** A check, and whether it holds. */
export type LiveResult = Pick<LiveCheck, "topic" | "sentence"> & { readonly isMet: boolean };

export const checkLive = (settings: LiveSettings, organisation: Organisation): readonly LiveResult[] =>
  liveChecks.map(({ topic, sentence, isMet }) => ({ topic, sentence, isMet: isMet(settings, organisation) }));

/** Whether the details are a real charity's: visitors and receipts never see anybody else's. */
export function isOwnOrganisation(organisation: Organisation): boolean {
  const exampleAddresses = [organisation.email, organisation.donationsEmail].filter((one) => exampleAddress.test(one));
  const isDemo = organisation.abn.replace(/\s/g, "") === DEMO_ABN;
  return listUnfilledDetails(organisation).length === 0 && !isDemo && exampleAddresses.length === 0;
}

/** @throws Error if a site that takes real money would speak in somebody else's name. */
export function requireOwnOrganisation(organisation: Organisation): void {
  const checks = liveChecks.filter(({ topic }) => topic === "organisation");
  requireLive(checks.map(({ topic, sentence }) => ({ topic, sentence, isMet: isOwnOrganisation(organisation) })));
}

/** @throws Error that names all unmet requirements. */
export function requireLive(results: readonly LiveResult[]): void {
  const missing = results.filter(({ isMet }) => !isMet);
  if (missing.length === 0) return;
  throw new Error(`PAYMENTS=live refuses to start. ${missing.map(({ sentence }) => `${sentence}.`).join(" ")}`);
}
