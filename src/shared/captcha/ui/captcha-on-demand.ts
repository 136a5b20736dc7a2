import type { Answer } from "#shared/contract/envelope.ts";
import { whileLoading } from "#shared/ui/feedback.ts";

/** The effort may rise while the captcha is being solved: 2, 4, 8, 16, 32. */
const MAX_ROUNDS = 5;
const UNSOLVED = "Your device couldn’t finish the verification. Please try again, or use another device.";

/** Sends a request that rarely needs a captcha. If the server asks for one, solves it invisibly and sends it again. */
export async function withCaptchaOnDemand<Data>(
  action: "login" | "reset" | "hold",
  post: (captcha?: string) => Promise<Answer<Data>>,
): Promise<Answer<Data>> {
  let answer = await post();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (answer.ok || answer.error !== "captcha_dearer") break;
    const challengeUrl = `/api/captcha?action=${action}&effort=${answer.effort}`;
    const solving = import("./solve-captcha.ts").then(({ solveCaptcha }) => solveCaptcha(challengeUrl));
    const solved = await whileLoading(solving).catch(() => undefined);
    if (solved === undefined) return { ...answer, message: UNSOLVED };
    answer = await post(solved);
  }
  return answer;
}
