import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Icon } from "#shared/ui/icon.tsx";
import { withMoney } from "./outcome.ts";

type LastFailureProps = {
  /** Why the last payment did not go through. */
  readonly text: string;
  /** A link to the other payment methods, if they are not on the same page. */
  readonly children?: ReactNode;
};

/** Shows, above the payment, why the last try failed, and takes focus (DON-29). */
export function LastFailure({ text, children }: LastFailureProps) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Scroll to the top; the nearest edge would leave the payment below the window.
    box.current?.scrollIntoView?.({ block: "start" });
    box.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className="error-summary refusal" aria-label="Your last payment" tabIndex={-1} ref={box}>
      <p className="err">
        <Icon name="alert" />
        <span>{withMoney(text)}</span>
      </p>
      {children}
    </section>
  );
}
