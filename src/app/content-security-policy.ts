export type CaptchaOrigins = Record<"script" | "frame" | "connect" | "style", readonly string[]>;

type PaymentParts = {
  /** Origins whose script and frame take the card: the payment provider's, or its simulator's. */
  readonly providers: readonly string[];
  /** Those of a captcha that is not our own. */
  readonly captcha?: CaptchaOrigins;
};

/**
 * The policy of a page: everything from this site and nothing inline. A page that takes payments adds the provider's
 * script and frame, the captcha's, and our own worker that solves ours.
 */
export function contentSecurityPolicy(payment?: PaymentParts): string {
  const { providers = [], captcha } = payment ?? {};
  const directives: Record<string, readonly string[]> = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...providers, ...(captcha?.script ?? [])],
    "style-src": ["'self'", ...(captcha?.style ?? [])],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...(captcha?.connect ?? [])],
    "manifest-src": ["'self'"],
    ...(payment !== undefined && {
      "frame-src": [...providers, ...(captcha?.frame ?? [])],
      "worker-src": ["'self'"],
    }),
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${[...new Set(sources)].join(" ")}`)
    .join("; ");
}
