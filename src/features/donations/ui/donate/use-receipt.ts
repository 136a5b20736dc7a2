import { useEffect, useState } from "react";
import { waitFor } from "#payments/checkout/ui/confirm-payment.ts";
import { findPayment } from "#payments/checkout/ui/payment-calls.ts";

const TRIES = 8;
const PAUSE_MS = 3000;

/** Where the receipt can be downloaded: with the payment's answer, or asked for a few times until it is issued. */
export function useReceipt({ id, receiptUrl }: { id: string; receiptUrl: string | undefined }): string | undefined {
  const [found, setFound] = useState(receiptUrl);
  useEffect(() => {
    if (receiptUrl !== undefined) return;
    let isGone = false;
    const look = async () => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        await waitFor(PAUSE_MS);
        if (isGone) return;
        const answer = await findPayment(id);
        if (answer.ok && answer.data.receiptUrl !== undefined) return setFound(answer.data.receiptUrl);
      }
    };
    void look();
    return () => {
      isGone = true;
    };
  }, [id, receiptUrl]);
  return found;
}
