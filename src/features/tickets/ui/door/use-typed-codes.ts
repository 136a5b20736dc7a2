import { useEffect, useRef } from "react";

/** Scanners type a code as fast as this; people do not. */
const BETWEEN_KEYS_MS = 150;

/** Calls `onCode` with what a scanner types, which ends with Enter, wherever the focus is. */
export function useTypedCodes(onCode: (text: string) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    let typed = "";
    let at = 0;
    const listen = (event: KeyboardEvent) => {
      if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.timeStamp - at > BETWEEN_KEYS_MS) typed = "";
      at = event.timeStamp;
      if (event.key.length === 1) typed += event.key;
      if (event.key !== "Enter" || typed.length < 8) return;
      // Otherwise Enter would also press the button that has the focus.
      event.preventDefault();
      event.stopPropagation();
      latest.current(typed);
      typed = "";
    };
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, []);
}
