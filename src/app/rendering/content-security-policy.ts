import type { Config } from "#shared/config/config.ts";

type PolicyOrigins = Record<"script" | "frame" | "connect" | "style", readonly string[]>;
type PaypalOrigins = Record<"script" | "frame" | "connect" | "image" | "style", readonly string[]>;

type PaymentParts = {
  /** Origins of the payment provider's script and card frame, or its simulator's. */
  readonly providers: readonly string[];
  /** Origins that PayPal's button and window need. */
  readonly paypal?: PaypalOrigins | undefined;
  readonly captcha?: PolicyOrigins;
};

export const CSP_REPORTS = "/csp-reports";

/** Our policy, and the one that the ALTCHA widget creates for its templates. */
const OUR_TRUSTED_TYPES = ["almoner", "svelte-trusted-html"];

/**
 * The policy of a page as headers: everything from this site, inline only what has one of these hashes, and Trusted
 * Types. A page that takes payments also allows the provider, PayPal, the captcha and our captcha's worker. We can't
 * test third-party scripts, so with any of them Trusted Types only report. A page that reads QR codes may run its
 * service worker, and the WebAssembly that reads them.
 */
export function securityHeaders(
  payment?: PaymentParts,
  inlineHashes: readonly string[] = [],
  { readsCodes = false }: { readonly readsCodes?: boolean | undefined } = {},
): Record<string, string> {
  const { providers = [], paypal, captcha } = payment ?? {};
  const foreign = [...providers, ...(paypal?.script ?? []), ...(captcha?.script ?? [])];
  const isEnforced = foreign.length === 0;
  // Allow any policy that others create; only strings assigned to script addresses are worth a report.
  const trustedTypes = {
    "require-trusted-types-for": ["'script'"],
    "trusted-types": isEnforced ? OUR_TRUSTED_TYPES : ["*", "'allow-duplicates'"],
  };
  // Every browser supports it and reports immediately; with `report-to` present, Chromium would ignore it.
  const reports = { "report-uri": [CSP_REPORTS] };
  const enforced = write({
    "default-src": ["'none'"],
    "script-src": [
      "'self'",
      ...inlineHashes.map((hash) => `'${hash}'`),
      ...(readsCodes ? ["'wasm-unsafe-eval'"] : []),
      ...foreign,
    ],
    "style-src": ["'self'", ...(paypal?.style ?? []), ...(captcha?.style ?? [])],
    "img-src": ["'self'", "data:", ...(paypal?.image ?? [])],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...(paypal?.connect ?? []), ...(captcha?.connect ?? [])],
    "manifest-src": ["'self'"],
    ...(payment !== undefined && {
      "frame-src": [...providers, ...(paypal?.frame ?? []), ...(captcha?.frame ?? [])],
    }),
    ...((payment !== undefined || readsCodes) && { "worker-src": ["'self'"] }),
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
 * The origins PayPal needs, or undefined if it is not offered. The real button draws itself with its own style
 * elements, whose hashes PayPal doesn't publish, so inline styles (never scripts) are allowed there.
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
