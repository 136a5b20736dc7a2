/**
 * What a refused payment did to the payer's money: nothing; nothing beyond an earlier payment; or nobody knows yet. Sentences
 * about it are composed from this and never part of a message.
 */
export const moneyOutcomes = ["untouched", "charged_before", "unknown"] as const;
export type MoneyOutcome = (typeof moneyOutcomes)[number];

/** Everything that can go wrong, named once: its HTTP status, what the visitor is told, and `money` where it is not untouched. */
export const problems = {
  malformed: { status: 400, says: "We could not read that request. Please reload the page and try again." },
  not_signed_in: { status: 401, says: "Please log in." },
  login_failed: { status: 401, says: "Email or password is incorrect." },
  passkey_failed: {
    status: 401,
    says: "We could not log you in with that passkey. Please try again, or log in with your email and password.",
  },
  passkey_expired: { status: 401, says: "That took too long. Please use your passkey again." },
  passkey_unknown: {
    status: 401,
    says: "That passkey does not work here any more. Please log in with your email and password.",
  },
  passkey_blocked: {
    status: 401,
    says: "That passkey is blocked, because a copy of it may exist: our email to you says more. Please log in with your email and password.",
  },
  payment_declined: {
    status: 402,
    says: "Your card was not accepted. Please check the details or try another card.",
  },
  not_allowed: { status: 403, says: "You may not do that." },
  password_needed: { status: 403, says: "Please enter your password first." },
  csrf: { status: 403, says: "Your page is out of date. Please reload it and try again." },
  foreign_origin: {
    status: 403,
    says: "This request came from a page of another site, so we did nothing. Please use the pages of this site.",
  },
  bad_signature: { status: 403, says: "That message is not signed by the payment provider." },
  link_failed: {
    status: 403,
    says: "This link is not for this account, or its time is over. Log in to the account that it was sent for, or have a new one sent.",
  },
  captcha_dearer: {
    status: 403,
    says: "This needs a longer verification than usual, because somebody is misusing this site. Please verify again.",
  },
  captcha_failed: { status: 403, says: "reCAPTCHA verification failed. Please try again." },
  not_found: { status: 404, says: "We could not find that." },
  wrong_method: { status: 405, says: "That address does not take this kind of request." },
  key_reused: {
    status: 409,
    says: "This was already sent with other details. Please reload the page to see it.",
    money: "charged_before",
  },
  just_given: {
    status: 409,
    says: "You gave this a moment ago. Send it with `repeat: true` to give it again.",
    money: "charged_before",
  },
  application_closed: {
    status: 409,
    says: "This application is closed, so nothing of it changes any more. Please call or email us.",
  },
  too_many_passkeys: {
    status: 409,
    says: "You have ten passkeys, which is the most that an account can have. Please remove one first.",
  },
  seats_gone: { status: 409, says: "There are not that many seats left. Please choose fewer." },
  hold_lapsed: {
    status: 409,
    says: "Your seats were held until their time ran out. Please choose them again.",
  },
  not_on_sale: { status: 409, says: "These tickets are not on sale." },
  order_closed: { status: 409, says: "This order is paid already.", money: "charged_before" },
  cannot_cancel: {
    status: 409,
    says: "These tickets cannot be cancelled here any more. Please call or email us. Nothing has changed.",
  },
  link_ended: {
    status: 410,
    says: "This link has ended. Please open it again from your email: the page offers to send you a new one.",
  },
  too_large: { status: 413, says: "That is too much to send at once." },
  wrong_type: { status: 415, says: "Please send that as JSON, or as a form with files where files belong to it." },
  passkey_not_added: { status: 422, says: "That passkey could not be added. Please try again." },
  code_failed: { status: 422, says: "The code is wrong or has expired." },
  invalid_input: { status: 422, says: "Please check the details you entered." },
  captcha_required: { status: 422, says: "Please complete the reCAPTCHA verification" },
  // What others fail at is 4xx: the alarm counts answers of 5xx, and is to count ours alone.
  captcha_unavailable: { status: 403, says: "The verification service did not answer. Please try again." },
  too_many: { status: 429, says: "Too many tries. Please wait a few minutes and try again." },
  too_many_tries: { status: 429, says: "Too many tries. Please wait a quarter of an hour and try again." },
  too_many_letters: {
    status: 429,
    says: "This letter was asked for several times already. Please look for it in your mail, also among the spam, or try again in an hour.",
  },
  too_many_accounts: {
    status: 429,
    says: "Several accounts were opened from your network in a short time. Please try again in an hour.",
  },
  too_many_messages: {
    status: 429,
    says: "We have had several messages from you in a short time. Please try again later, or call or email us instead.",
  },
  too_many_applications: {
    status: 429,
    says: "We have had several applications from you in a short time. Please try again in an hour, or call or email us instead.",
  },
  too_many_holds: {
    status: 429,
    says: "Many seats are held from your network and not paid for. Please try again in a few minutes, or from another network.",
  },
  cards_paused: {
    status: 429,
    says: "Card payments are paused for a few minutes. Please pay another way, or try again later.",
  },
  provider_away: {
    status: 429,
    says: "This way of paying is not available at the moment. Please pay another way, or try again later.",
  },
  busy: { status: 503, says: "We cannot do that just now. Please try again in a moment.", money: "unknown" },
  unexpected: { status: 500, says: "Something went wrong on our side. Please try again.", money: "unknown" },
} as const satisfies Record<string, { status: number; says: string; money?: MoneyOutcome }>;

export type Problem = keyof typeof problems;

export function moneyAfter(problem: Problem): MoneyOutcome {
  const row = problems[problem];
  return "money" in row ? row.money : "untouched";
}

/** For each bad field, by its name on the wire, the sentences to show beside it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Thrown once, caught once in `shared/http`. What a person brings about by ordinary acts is returned instead. */
export class AppError extends Error {
  readonly problem: Problem;
  readonly fields: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Of `captcha_dearer`: what the captcha must be worth. */
  readonly effort: number | undefined;

  constructor(
    problem: Problem,
    more: Partial<Pick<AppError, "cause" | "fields" | "retryAfterSeconds" | "effort">> = {},
  ) {
    super(problem, { cause: more.cause });
    this.problem = problem;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.effort = more.effort;
  }
}
