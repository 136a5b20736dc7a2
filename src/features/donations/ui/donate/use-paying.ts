import { useRef } from "react";
import { readPaymentAnswer, type Verdict } from "#payments/checkout/ui/outcome.ts";
import type { Instrument } from "#payments/checkout/ui/pay-by-card.tsx";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { Priced } from "../../cart.ts";
import { cardPayment, type DonationPayment, payPalPayment } from "./payment-body.ts";
import { sendPayment } from "./send-payment.ts";
import type { Donation } from "./use-donation.ts";

/**
 * Sends one payment, noted on this device before it goes out, and reads what became of it (DON-16, DON-20). One that was
 * refused because the same had just been given is kept until step 4 is left; `giveAgain` sends it as meant (DON-30).
 */
export function usePaying({ flow, visitor, tell, noteSent, sentBody }: Donation, priced: Priced) {
  const refusedBody = useRef<DonationPayment | undefined>(undefined);
  const isMeant = useRef(false);

  const sendNoted = async (payment: DonationPayment): Promise<Verdict | undefined> => {
    const body = isMeant.current ? { ...payment, repeat: true } : payment;
    const key = crypto.randomUUID();
    if (!noteSent({ key, totalCents: priced.totalCents, email: body.email })) return undefined;
    sentBody.current = body;
    const verdict = readPaymentAnswer(await whileLoading(sendPayment(body, key)));
    if (verdict.kind !== "confirming" && verdict.kind !== "challenge") sentBody.current = undefined;
    refusedBody.current = verdict.kind === "refused" && verdict.error === "just_given" ? body : undefined;
    tell({ type: "decided", verdict });
    return verdict;
  };

  const pay = async (captcha: string, instrument: Instrument): Promise<Verdict | undefined> => {
    const parts = { flow, priced, userId: visitor.userId, captcha };
    const body = instrument.method === "cc" ? cardPayment(parts, instrument.token) : payPalPayment(parts, instrument);
    return sendNoted(body);
  };

  const giveAgain = () => {
    isMeant.current = true;
    if (refusedBody.current !== undefined) void sendNoted(refusedBody.current);
  };
  return { pay, giveAgain };
}
