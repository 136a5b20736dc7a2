import { useRef, useState } from "react";

/** One payment at a time, whatever is pressed twice. */
export function useOnePayment() {
  const [isPaying, setPaying] = useState(false);
  const isLocked = useRef(false);
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
  };
}

export type OnePayment = ReturnType<typeof useOnePayment>;
