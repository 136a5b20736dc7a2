import { useRef, useState } from "react";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { Priced } from "../cart.ts";
import { readPaymentAnswer } from "./outcome.ts";
import type { DonationPayment, PaymentParts } from "./payment-body.ts";
import { isSendable, sendPayment } from "./send-payment.ts";
import type { Donation } from "./use-donation.ts";

type Needs = { readonly donation: Donation; readonly priced: Priced; readonly onRefused: () => void };

/** Sends one payment at a time, noted on this device before it goes out, and reads what became of it (DON-16, DON-20). */
export function usePaying({ donation, priced, onRefused }: Needs) {
  const { flow, visitor, tell, noteSent, sentBody } = donation;
  const [isPaying, setPaying] = useState(false);
  const isLocked = useRef(false);

  const pay = async (captcha: string, bodyOf: (parts: PaymentParts) => DonationPayment) => {
    const body = bodyOf({ flow, priced, userId: visitor.userId, captcha });
    if (!isSendable(body)) {
      const message = "Some of your details could not be sent. Please check them and try again.";
      tell({ type: "decided", verdict: { kind: "refused", error: "invalid_input", message, fields: {} } });
      return onRefused();
    }
    const key = crypto.randomUUID();
    if (!noteSent({ key, totalCents: priced.totalCents, email: body.email })) return;
    sentBody.current = body;
    const verdict = readPaymentAnswer(await whileLoading(sendPayment(body, key)));
    if (verdict.kind !== "confirming" && verdict.kind !== "challenge") sentBody.current = undefined;
    tell({ type: "decided", verdict });
    if (verdict.kind === "refused") onRefused();
  };

  return {
    isPaying,
    isLocked,
    /** False when a payment is on its way already. */
    begin(): boolean {
      if (isLocked.current) return false;
      isLocked.current = true;
      setPaying(true);
      return true;
    },
    /** What was begun was not sent. */
    giveUp() {
      isLocked.current = false;
      setPaying(false);
    },
    pay,
  };
}
