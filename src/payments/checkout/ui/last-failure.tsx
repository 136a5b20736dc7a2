import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Icon } from "#shared/ui/icon.tsx";
import { withMoney } from "./outcome.ts";

type LastFailureProps = {
  /** Why the last payment did not go through. */
  readonly says: string;
  /** Leads to another way of paying, if that is not beside this. */
  readonly children?: ReactNode;
};

/** Above what pays, once somebody tries again: why it failed before. Reading goes on here (DON-29). */
export function LastFailure({ says, children }: LastFailureProps) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Not the least way, which would leave what pays below the window.
    box.current?.scrollIntoView?.({ block: "start" });
    box.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className="error-summary refusal" aria-label="Your last payment" tabIndex={-1} ref={box}>
      <p className="err">
        <Icon name="alert" />
        <span>{withMoney(says)}</span>
      </p>
      {children}
    </section>
  );
}
