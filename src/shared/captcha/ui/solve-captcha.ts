import pbkdf2Url from "altcha/workers/pbkdf2?worker&url";
import { solveChallengeWorkers } from "altcha-lib";
import { sayWhileLoading } from "#shared/ui/feedback.ts";
import { trustedScript } from "#shared/ui/trusted-script.ts";

const ANSWERED_WITHIN_MS = 60_000;
/** The dearest takes half a minute on a phone of today; old ones take longer. */
const SOLVED_WITHIN_MS = 300_000;
const MOST_WORKERS = 4;

/** After how many seconds of solving to say what. */
const says = [
  [3, "Checking that you are a person. This can take up to a minute. Please keep this page open."],
  [60, "Still checking. Older phones need a few minutes. Please keep this page open."],
] as const;

/**
 * Does ALTCHA's work without anything to see or press, beside the page in workers. What comes back goes as the field
 * `captcha`. Own chunk: import lazily.
 * @throws when there is no challenge to be had, or the browser could not solve it within five minutes.
 */
export async function solveCaptcha(challengeUrl: string): Promise<string> {
  const response = await fetch(challengeUrl, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) });
  if (!response.ok) throw new Error(`No challenge came: ${response.status}.`);
  const challenge = await response.json();
  const timers = says.map(([seconds, text]) => setTimeout(() => sayWhileLoading(text), seconds * 1000));
  const solution = await solveChallengeWorkers({
    challenge,
    // One core stays free for the page.
    concurrency: Math.max(1, Math.min(MOST_WORKERS, navigator.hardwareConcurrency - 1)),
    createWorker: () => new Worker(trustedScript(pbkdf2Url)),
    timeout: SOLVED_WITHIN_MS,
  });
  for (const timer of timers) clearTimeout(timer);
  sayWhileLoading();
  if (solution === null) throw new Error("The challenge was not solved in time.");
  return btoa(JSON.stringify({ challenge, solution }));
}
