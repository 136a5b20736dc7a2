import { useEffect, useState } from "react";
import { joinMobile } from "../mobile.ts";
import { MobileNumber } from "../person.ts";
import { loadCalls } from "./load-calls.ts";

const AFTER_MS = 400;

type Typed = {
  readonly country: string;
  readonly dialCode: string;
  readonly mobile: string;
  readonly isLeft: boolean;
  /** Nothing is asked meanwhile: the answer to the form may begin a session, for which the question’s token is wrong. */
  readonly isSending: boolean;
};

/** A hint about a number that is unlikely for the country, once its field is left (LOG-13). It never blocks. */
export function useMobileDoubt({ country, dialCode, mobile, isLeft, isSending }: Typed): string | undefined {
  const joined = joinMobile(dialCode, mobile);
  const isAsked = isLeft && dialCode !== "" && MobileNumber.safeParse(mobile).success;
  const [unlikely, setUnlikely] = useState<string>();
  useEffect(() => {
    if (!isAsked || isSending) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const isLikely = await loadCalls()
        .then((calls) => calls.isLikelyMobile(country, joined))
        .catch(() => true);
      if (isWanted) setUnlikely(isLikely ? undefined : joined);
    }, AFTER_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [isAsked, isSending, country, joined]);
  if (!isAsked || unlikely !== joined) return undefined;
  return `This doesn’t look like a mobile number in ${country}. Please check it. If it’s right, leave it as it is.`;
}
