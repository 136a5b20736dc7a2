import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import type { Challenge } from "altcha-lib/types";

/** Solves a challenge of `GET /captcha`; the result goes into the field `captcha`. */
export async function solveCaptcha(challenge: object): Promise<string> {
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey });
  if (solution === null) throw new Error("The challenge was not solved within its time.");
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}
