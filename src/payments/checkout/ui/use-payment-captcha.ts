import { type RefObject, useState } from "react";
import { endToast, showAlert, showToast } from "#shared/ui/feedback.ts";
import type { PaymentMethod } from "../contract.ts";
import type { Refusal } from "./outcome.ts";

// The specification's own words, whichever captcha is used (DON-14).
const INCOMPLETE = "Please complete the reCAPTCHA verification";
const FAILED = "reCAPTCHA verification failed. Please try again.";
const EXPIRED = "reCAPTCHA verification expired. Please verify again.";

/** The captcha that stands before a payment. While one is being sent (`isLocked`), what happens to it does not matter. */
export function usePaymentCaptcha(refusal: Refusal | undefined, isLocked: RefObject<boolean>) {
  const [payload, setPayload] = useState<string>();
  const [wasSolved, setWasSolved] = useState(false);
  const refused = refusal?.error.startsWith("captcha") ? refusal.message : undefined;
  const [error, setError] = useState(refused);
  const unsolved = (sentence: string) => () => {
    if (isLocked.current) return;
    setPayload(undefined);
    setError(sentence);
    void showAlert(sentence);
  };
  return {
    payload,
    /** Once it was, what pays stays open, also when the captcha has to be solved anew. */
    wasSolved,
    box: {
      error,
      onSolved(solved: string) {
        setPayload(solved);
        setError(undefined);
        endToast(INCOMPLETE);
        setWasSolved(true);
      },
      onExpired: unsolved(EXPIRED),
      onError: unsolved(FAILED),
    },
    /** Somebody pays without it: a toast for a card, an alert for PayPal, and beside it in either case. */
    sayMissing(method: PaymentMethod) {
      setError(INCOMPLETE);
      const goThere = () => document.getElementById("captcha")?.focus();
      if (method === "pp") return void showAlert(INCOMPLETE).then(goThere);
      showToast(INCOMPLETE, "bad");
      goThere();
    },
  };
}

export type PaymentCaptcha = ReturnType<typeof usePaymentCaptcha>;
