import type { Config } from "#shared/config.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";

const DAY_MS = 86_400_000;

/** What a captcha is solved for: one solved for one thing is refused for another. */
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

export type CaptchaProvider = Config["captcha"]["provider"];

/**
 * `nonce` names this one solution and cannot be varied by whoever solved it: spend it with `spendCaptcha`.
 * `effort` is the work that went into it, in ordinary captchas. `unavailable` means that nobody could check; it is never
 * taken for a pass.
 */
export type CaptchaVerdict =
  | { readonly ok: true; readonly nonce: string; readonly effort: number }
  | { readonly ok: false; readonly reason: "missing" | "invalid" | "expired" | "unavailable" };

/** One shape for all providers. `verify` never throws. */
export type Captcha = {
  readonly provider: CaptchaProvider;
  /** What the page needs to show it. */
  publicConfig(): { provider: CaptchaProvider; challengeUrl?: string; siteKey?: string; scriptUrl?: string };
  /** ALTCHA only: the challenge as its widget reads it. `effort` multiplies the configured work. */
  createChallenge?(options: { action: CaptchaAction; effort: number; now: Date }): Promise<object>;
  verify(
    token: string | undefined,
    context: { action: CaptchaAction; address: string; now: Date },
  ): Promise<CaptchaVerdict>;
  /** What the content security policy of a page that shows it must allow beside 'self'. */
  origins(): CaptchaOrigins;
};

export type CaptchaOrigins = Readonly<Record<"script" | "frame" | "connect" | "style", readonly string[]>>;

/**
 * Marks a solved captcha as used; false when it already was. Belongs in the transaction that creates what the captcha
 * pays for: a rollback gives the captcha back, and a second user waits here until the first has committed.
 */
export async function spendCaptcha(transaction: Connection, nonce: string, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("captcha_uses")
    .values({ nonce, used_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Removes uses older than a day, when every captcha they belong to has long expired. Returns how many. */
export async function forgetOldCaptchaUses(database: Connection, now: Date): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom("captcha_uses")
    .where("used_at", "<", new Date(now.getTime() - DAY_MS))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** A captcha that was solved and not yet used. */
export type SolvedCaptcha = { readonly nonce: string; readonly effort: number };

/**
 * Spends a captcha that is worth the effort that is asked for.
 * @throws AppError `captcha_dearer` where there is none or it is worth less, `captcha_failed` where it was used before.
 */
export async function spendEffort(
  transaction: Connection,
  solved: SolvedCaptcha | null,
  { effort, now }: { effort: number; now: Date },
): Promise<void> {
  if (solved === null || solved.effort < effort) throw new AppError("captcha_dearer", { effort });
  if (!(await spendCaptcha(transaction, solved.nonce, now))) throw new AppError("captcha_failed");
}

/** A captcha that only suspicion asks for: null where none was sent, or what was sent is no solved captcha. */
export async function findSolved(
  captcha: Captcha,
  token: string | undefined,
  context: Parameters<Captcha["verify"]>[1],
): Promise<SolvedCaptcha | null> {
  const verdict = await captcha.verify(token, context);
  return verdict.ok ? verdict : null;
}

/**
 * The captcha that goes with a form which takes no money, to be spent with `spendEffort`; or the refusal to answer while
 * the service that checks it is away.
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
