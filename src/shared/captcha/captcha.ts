import type { Config } from "#shared/config/config.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";

const DAY_MS = 86_400_000;

/** The purpose of a captcha. */
export const captchaActions = [
  "donate",
  "contact",
  "register",
  "volunteer",
  "tickets",
  "login",
  "reset",
  "hold",
] as const;
export type CaptchaAction = (typeof captchaActions)[number];

/** Asked for only on suspicion: always ALTCHA, because the page can solve it unattended. */
export const actionsOnSuspicion: readonly CaptchaAction[] = ["login", "reset", "hold"];

type CaptchaProvider = Config["captcha"]["provider"];

/**
 * `nonce` identifies the solution and cannot be chosen by the solver: spend it with `spendCaptcha`. `effort` is a
 * multiple of an ordinary captcha's work. `unavailable`: it could not be checked, which never counts as a pass.
 */
export type CaptchaVerdict =
  | { readonly ok: true; readonly nonce: string; readonly effort: number }
  | { readonly ok: false; readonly reason: "missing" | "invalid" | "expired" | "unavailable" };

/** The same for all providers. `verify` never throws. */
export type Captcha = {
  readonly provider: CaptchaProvider;
  /** The settings for the page's widget. */
  publicConfig(): { provider: CaptchaProvider; challengeUrl?: string; siteKey?: string; scriptUrl?: string };
  /** ALTCHA only: the challenge for its widget. `effort` multiplies the configured work. */
  createChallenge?(options: { action: CaptchaAction; effort: number; now: Date }): Promise<object>;
  verify(
    token: string | undefined,
    context: { action: CaptchaAction; address: string; now: Date },
  ): Promise<CaptchaVerdict>;
  /** What a page's content security policy must allow besides 'self'. */
  origins(): CaptchaOrigins;
};

export type CaptchaOrigins = Readonly<Record<"script" | "frame" | "connect" | "style", readonly string[]>>;

/**
 * Marks a solved captcha as used; false if it already was. Call it in the transaction that creates what the captcha
 * pays for: a rollback returns the captcha, and a second user waits here until the first commits.
 */
export async function spendCaptcha(transaction: Connection, nonce: string, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("captcha_uses")
    .values({ nonce, used_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Removes uses older than a day, when their captchas have long expired. Returns how many. */
export async function forgetOldCaptchaUses(database: Connection, now: Date): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom("captcha_uses")
    .where("used_at", "<", new Date(now.getTime() - DAY_MS))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** A solved captcha that has not been used yet. */
export type SolvedCaptcha = { readonly nonce: string; readonly effort: number };

/**
 * Spends a captcha of at least the required effort.
 * @throws AppError `captcha_dearer` if there is none or it is worth less, `captcha_failed` if it was used before.
 */
export async function spendEffort(
  transaction: Connection,
  solved: SolvedCaptcha | null,
  { effort, now }: { effort: number; now: Date },
): Promise<void> {
  if (solved === null || solved.effort < effort) throw new AppError("captcha_dearer", { effort });
  if (!(await spendCaptcha(transaction, solved.nonce, now))) throw new AppError("captcha_failed");
}

/** Checks a captcha that only suspicion requires: null if it is missing or not solved. */
export async function findSolved(
  captcha: Captcha,
  token: string | undefined,
  context: Parameters<Captcha["verify"]>[1],
): Promise<SolvedCaptcha | null> {
  const verdict = await captcha.verify(token, context);
  return verdict.ok ? verdict : null;
}

/**
 * The captcha of a form without a payment, to be spent with `spendEffort`; or the refusal to send while the service
 * that checks it is unavailable.
 * @throws AppError `captcha_required`, `captcha_failed`.
 */
export async function checkCaptcha(
  captcha: Captcha,
  token: string | undefined,
  context: Parameters<Captcha["verify"]>[1],
): Promise<{ readonly solved: SolvedCaptcha } | { readonly refusal: Reply<never> }> {
  const verdict = await captcha.verify(token, context);
  if (verdict.ok) return { solved: verdict };
  if (verdict.reason === "unavailable") return { refusal: refused("captcha_unavailable") };
  if (verdict.reason !== "missing") throw new AppError("captcha_failed");
  throw new AppError("captcha_required", { fields: { captcha: ["Please complete the verification."] } });
}
