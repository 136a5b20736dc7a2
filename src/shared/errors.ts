/**
 * What a refused payment did to the payer's money: nothing, nothing beyond an earlier payment, or unknown. Sentences
 * about it are composed from this and never part of a message.
 */
export const moneyOutcomes = ["untouched", "charged_before", "unknown"] as const;
export type MoneyOutcome = (typeof moneyOutcomes)[number];

/** An error: its name on the wire, its HTTP status, and what the visitor is told. */
export type Problem = {
  readonly name: string;
  readonly status: number;
  readonly text: string;
  readonly money: MoneyOutcome;
};

/** `money` defaults to untouched. */
export function nameProblems<Name extends string>(
  table: Record<Name, { status: number; text: string; money?: MoneyOutcome }>,
): Readonly<Record<Name, Problem>> {
  const named = Object.entries<object>(table).map(([name, row]) => [name, { name, money: "untouched", ...row }]);
  return Object.fromEntries(named) as Record<Name, Problem>;
}

/** Errors that can happen anywhere; each feature has its own table. PURE, so that pages without them drop this one. */
export const problems = /* @__PURE__ */ nameProblems({
  malformed: { status: 400, text: "We couldn’t read that request. Please reload the page and try again." },
  not_signed_in: { status: 401, text: "Please log in." },
  not_allowed: { status: 403, text: "You are not allowed to do that." },
  csrf: { status: 403, text: "Your page is out of date. Please reload it and try again." },
  foreign_origin: {
    status: 403,
    text: "This request came from another site, so we did nothing. Please use the pages of this site.",
  },
  bad_signature: { status: 403, text: "This message is not signed by the payment provider." },
  captcha_dearer: {
    status: 403,
    text: "This needs a longer verification than usual, because someone is misusing this site. Please verify again.",
  },
  captcha_failed: { status: 403, text: "reCAPTCHA verification failed. Please try again." },
  not_found: { status: 404, text: "We couldn’t find that." },
  wrong_method: { status: 405, text: "This address does not accept this kind of request." },
  link_ended: {
    status: 410,
    text: "This link has expired. Please open it again from your email: the page offers to send you a new one.",
  },
  too_large: { status: 413, text: "That is too large to send." },
  wrong_type: { status: 415, text: "Send JSON, or multipart/form-data for requests with files." },
  invalid_input: { status: 422, text: "Please check the details you entered." },
  captcha_required: { status: 422, text: "Please complete the reCAPTCHA verification" },
  // 4xx, because the alarm counts 5xx answers and must count only our own failures.
  captcha_unavailable: { status: 403, text: "The verification service did not answer. Please try again." },
  too_many: { status: 429, text: "Too many attempts. Please wait a few minutes and try again." },
  too_many_tries: { status: 429, text: "Too many attempts. Please wait 15 minutes and try again." },
  too_many_emails: {
    status: 429,
    text: "We have already sent this email several times. Please check your inbox and spam folder, or try again in an hour.",
  },
  busy: { status: 503, text: "We can’t do that right now. Please try again in a moment.", money: "unknown" },
  files_away: {
    status: 503,
    text: "We can’t reach the place where we keep pictures and files. Please try again in a minute.",
    money: "unknown",
  },
  // A payment sent before the fault may have been charged, although the restored site does not know it.
  paused: {
    status: 503,
    text: "We are restoring this site after a fault. Please try again in an hour.",
    money: "unknown",
  },
  unexpected: { status: 500, text: "Something went wrong on our side. Please try again.", money: "unknown" },
});

/** A problem of the table above by its name, or one of another table. */
export type AnyProblem = keyof typeof problems | Problem;

/** A problem itself, or the shared one of that name. */
export function findProblem(problem: AnyProblem): Problem {
  return typeof problem === "string" ? problems[problem] : problem;
}

/** The messages of each invalid field, by its name on the wire. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Thrown anywhere, caught once in `shared/http`. Refusals that ordinary actions cause are returned instead. */
export class AppError extends Error {
  readonly problem: string;
  readonly status: number;
  readonly text: string;
  readonly money: MoneyOutcome;
  readonly fields: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** For `captcha_dearer`: the effort that the captcha needs. */
  readonly effort: number | undefined;

  constructor(
    problem: AnyProblem,
    more: Partial<Pick<AppError, "cause" | "fields" | "retryAfterSeconds" | "effort">> = {},
  ) {
    const { name, status, text, money } = findProblem(problem);
    super(name, { cause: more.cause });
    this.problem = name;
    this.status = status;
    this.text = text;
    this.money = money;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.effort = more.effort;
  }
}
