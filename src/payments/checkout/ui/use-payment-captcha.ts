import { type RefObject, useState } from "react";
import { endToast, showAlert, showToast } from "#shared/ui/feedback.ts";
import type { PaymentMethod } from "../contract.ts";
import type { PaymentRefusal } from "./outcome.ts";

// The specification's texts, whichever captcha is used (DON-14).
const INCOMPLETE = "Please complete the reCAPTCHA verification";
const FAILED = "reCAPTCHA verification failed. Please try again.";
const EXPIRED = "reCAPTCHA verification expired. Please verify again.";

/** The captcha before a payment. Its events are ignored while a payment is being sent (`isLocked`). */
export function usePaymentCaptcha(refusal: PaymentRefusal | undefined, isLocked: RefObject<boolean>) {
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
    /** Stays true, so that the payment form stays open if the captcha must be solved again. */
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
    /** Someone pays without solving it: a toast for a card, an alert for PayPal, and an error beside it. */
    reportMissing(method: PaymentMethod) {
      setError(INCOMPLETE);
      const goThere = () => document.getElementById("captcha")?.focus();
      if (method === "pp") return void showAlert(INCOMPLETE).then(goThere);
      showToast(INCOMPLETE, "bad");
      goThere();
    },
  };
}

export type PaymentCaptcha = ReturnType<typeof usePaymentCaptcha>;
