import { useEffect, useState } from "react";
import type { CaptchaBox, CaptchaSetup } from "./captcha-box.tsx";
import type { useCaptcha } from "./use-captcha.ts";

type SeenCaptchaProps = {
  readonly captcha: ReturnType<typeof useCaptcha>;
  readonly setup: CaptchaSetup;
  readonly action: string;
};

/** The captcha of a form that is not a payment, where there is something to see; its box and style come only then. */
export function SeenCaptcha({ captcha, setup, action }: SeenCaptchaProps) {
  const [Box, setBox] = useState<typeof CaptchaBox>();
  const [hasFailed, setHasFailed] = useState(false);
  const { isSeen, round, error, events } = captcha;
  useEffect(() => {
    if (!isSeen) return;
    import("./captcha-box.tsx").then(
      (box) => setBox(() => box.CaptchaBox),
      () => setHasFailed(true),
    );
  }, [isSeen]);
  if (Box !== undefined) return <Box key={round} captcha={setup} action={action} error={error} {...events} />;
  return hasFailed ? <p role="alert">The verification did not load. Please reload the page and try again.</p> : null;
}
