import { useLoad } from "#shared/ui/use-load.tsx";
import type { CaptchaSetup } from "./captcha-box.tsx";
import type { useCaptcha } from "./use-captcha.ts";

type SeenCaptchaProps = {
  readonly captcha: ReturnType<typeof useCaptcha>;
  readonly setup: CaptchaSetup;
  readonly action: string;
};

/** The captcha of a form without a payment, if it is visible; its code and styles load only then. */
export function SeenCaptcha({ captcha, setup, action }: SeenCaptchaProps) {
  const { isSeen, round, error, events } = captcha;
  const box = useLoad(() => import("./captcha-box.tsx"), { isWanted: isSeen });
  if (box.data !== undefined) {
    return <box.data.CaptchaBox key={round} captcha={setup} action={action} error={error} {...events} />;
  }
  return box.error !== undefined ? (
    <p role="alert">The verification did not load. Please reload the page and try again.</p>
  ) : null;
}
