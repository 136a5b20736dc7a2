import type { Config } from "#shared/config.ts";

export type CaptchaOrigins = Record<"script" | "frame" | "connect" | "style", readonly string[]>;
type PaypalOrigins = Record<"script" | "frame" | "connect" | "image" | "style", readonly string[]>;

type PaymentParts = {
  /** Origins whose script and frame take the card: the payment provider's, or its simulator's. */
  readonly providers: readonly string[];
  /** Those that PayPal's button and window need. */
  readonly paypal?: PaypalOrigins | undefined;
  /** Those of a captcha that is not our own. */
  readonly captcha?: CaptchaOrigins;
};

/** Where browsers report what a policy refused or would have refused. */
export const CSP_REPORTS = "/csp-reports";

/** Ours, and the policy that the ALTCHA widget makes for its own templates. */
const OUR_TRUSTED_TYPES = ["almoner", "svelte-trusted-html"];

/**
 * The policy of a page, as headers: everything from this site, nothing inline except what has one of these hashes, and
 * Trusted Types. A page that takes payments adds the provider's script and frame, PayPal's, the captcha's, and our own
 * worker that solves ours. What scripts of other companies do nobody here can test, so beside them Trusted Types only report.
 */
export function securityHeaders(payment?: PaymentParts, inlineHashes: readonly string[] = []): Record<string, string> {
  const { providers = [], paypal, captcha } = payment ?? {};
  const foreign = [...providers, ...(paypal?.script ?? []), ...(captcha?.script ?? [])];
  const isEnforced = foreign.length === 0;
  // What policies others make for themselves is no news; strings that they hand to a script's address are.
  const trustedTypes = {
    "require-trusted-types-for": ["'script'"],
    "trusted-types": isEnforced ? OUR_TRUSTED_TYPES : ["*", "'allow-duplicates'"],
  };
  // Every browser knows it, and sends at once; where `report-to` stands too, Chromium would leave it out.
  const reports = { "report-uri": [CSP_REPORTS] };
  const enforced = write({
    "default-src": ["'none'"],
    "script-src": ["'self'", ...inlineHashes.map((hash) => `'${hash}'`), ...foreign],
    "style-src": ["'self'", ...(paypal?.style ?? []), ...(captcha?.style ?? [])],
    "img-src": ["'self'", "data:", ...(paypal?.image ?? [])],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...(paypal?.connect ?? []), ...(captcha?.connect ?? [])],
    "manifest-src": ["'self'"],
    ...(payment !== undefined && {
      "frame-src": [...providers, ...(paypal?.frame ?? []), ...(captcha?.frame ?? [])],
      "worker-src": ["'self'"],
    }),
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    ...(isEnforced && trustedTypes),
    ...reports,
  });
  return {
    "content-security-policy": enforced,
    ...(!isEnforced && { "content-security-policy-report-only": write({ ...trustedTypes, ...reports }) }),
  };
}

function write(directives: Record<string, readonly string[]>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${[...new Set(sources)].join(" ")}`)
    .join("; ");
}

/**
 * What PayPal needs of a page, undefined where it is not offered. The real one's button draws itself with style elements
 * of its own, which PayPal lets nobody name beforehand, so styles (never scripts) may stand inline there.
 */
export function paypalOrigins({ isOffered, url, scriptsUrl }: Config["braintree"]): PaypalOrigins | undefined {
  if (!isOffered) return undefined;
  const scripts = new URL(scriptsUrl).origin;
  const gateway = url.startsWith("http") ? [new URL(url).origin] : [];
  if (!scripts.startsWith("https:")) {
    return { script: [scripts], frame: [scripts], connect: [scripts, ...gateway], image: [], style: [] };
  }
  const paypal = ["https://*.paypal.com", "https://*.paypalobjects.com"];
  const environment = url === "production" ? "" : "sandbox.";
  return {
    script: [scripts, ...paypal],
    frame: ["https://assets.braintreegateway.com", ...paypal],
    connect: [
      `https://api.${environment}braintreegateway.com`,
      `https://payments.${environment}braintree-api.com`,
      ...gateway,
      ...paypal,
    ],
    image: paypal,
    style: ["'unsafe-inline'"],
  };
}
