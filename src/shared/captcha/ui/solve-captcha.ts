import pbkdf2Url from "altcha/workers/pbkdf2?worker&url";
import { solveChallengeWorkers } from "altcha-lib";
import { announceLoading } from "#shared/ui/feedback.ts";
import { trustedScript } from "#shared/ui/trusted-script.ts";

const ANSWERED_WITHIN_MS = 60_000;
/** The hardest takes half a minute on a current phone; old ones take longer. */
const SOLVED_WITHIN_MS = 300_000;
const MAX_WORKERS = 4;

/** What to say after how many seconds. */
const notices = [
  [3, "Checking that you are a person. This can take up to a minute. Please keep this page open."],
  [60, "Still checking. Older phones need a few minutes. Please keep this page open."],
] as const;

/**
 * Solves ALTCHA's challenge invisibly, in workers. Returns the value of the field `captcha`. A separate chunk: import
 * lazily.
 * @throws if no challenge arrives, or it is not solved within five minutes.
 */
export async function solveCaptcha(challengeUrl: string): Promise<string> {
  const response = await fetch(challengeUrl, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) });
  if (!response.ok) throw new Error(`No challenge received: ${response.status}.`);
  const challenge = await response.json();
  const timers = notices.map(([seconds, text]) => setTimeout(() => announceLoading(text), seconds * 1000));
  const solution = await solveChallengeWorkers({
    challenge,
    // Leaves one core free for the page.
    concurrency: Math.max(1, Math.min(MAX_WORKERS, navigator.hardwareConcurrency - 1)),
    createWorker: () => new Worker(trustedScript(pbkdf2Url)),
    timeout: SOLVED_WITHIN_MS,
  });
  for (const timer of timers) clearTimeout(timer);
  announceLoading();
  if (solution === null) throw new Error("The challenge was not solved in time.");
  return btoa(JSON.stringify({ challenge, solution }));
}
