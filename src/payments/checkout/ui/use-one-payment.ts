import { useRef, useState } from "react";

/** Allows one payment at a time, even if the button is pressed twice. */
export function useOnePayment() {
  const [isPaying, setPaying] = useState(false);
  const isLocked = useRef(false);
  return {
    isPaying,
    isLocked,
    /** False if a payment is already in progress. */
    begin(): boolean {
      if (isLocked.current) return false;
      isLocked.current = true;
      setPaying(true);
      return true;
    },
    /** Unlocks after a payment that was not sent. */
    giveUp() {
      isLocked.current = false;
      setPaying(false);
    },
  };
}

export type OnePayment = ReturnType<typeof useOnePayment>;
