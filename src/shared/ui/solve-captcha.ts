import pbkdf2Url from "altcha/workers/pbkdf2?worker&url";
import { solveChallengeWorkers } from "altcha-lib";

const WITHIN_MS = 60_000;

/**
 * Does ALTCHA's work without anything to see or press, beside the page in a worker. What comes back goes as the field
 * `captcha`. Own chunk: import lazily.
 * @throws when there is no challenge to be had, or the browser could not solve it within a minute.
 */
export async function solveCaptcha(challengeUrl: string): Promise<string> {
  const response = await fetch(challengeUrl, { signal: AbortSignal.timeout(WITHIN_MS) });
  if (!response.ok) throw new Error(`No challenge came: ${response.status}.`);
  const challenge = await response.json();
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: 1,
    createWorker: () => new Worker(pbkdf2Url),
    timeout: WITHIN_MS,
  });
  if (solution === null) throw new Error("The challenge was not solved in time.");
  return btoa(JSON.stringify({ challenge, solution }));
}
