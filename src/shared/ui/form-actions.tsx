import { type ComponentProps, useRef, useState } from "react";
import { Icon } from "./icon.tsx";

type ExplainedButtonProps = ComponentProps<"button"> & {
  readonly reasonId: string;
  /** Why it is not available yet. */
  readonly reason: string | undefined;
  readonly isAlert?: boolean;
};

/** A button that can be focused while it is not available, with the reason beside it (LAY-11). */
export function ExplainedButton({ reasonId, reason, isAlert = false, ...button }: ExplainedButtonProps) {
  const hasReason = reason !== undefined;
  return (
    <>
      <button
        type="button"
        className="btn"
        aria-disabled={hasReason}
        aria-describedby={hasReason ? reasonId : undefined}
        {...button}
      />
      {hasReason && (
        <span className={isAlert ? "why err" : "why"} id={reasonId}>
          {reason}
        </span>
      )}
    </>
  );
}

/** Does a button's work once, however often it is pressed in the meantime. */
export function useOneAtATime() {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  return {
    isBusy,
    async run(work: () => Promise<unknown>): Promise<void> {
      if (isRunning.current) return;
      isRunning.current = true;
      setBusy(true);
      await work().finally(() => {
        isRunning.current = false;
        setBusy(false);
      });
    },
  };
}

export function PreviousButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="btn btn-quiet" onClick={onClick}>
      Previous
    </button>
  );
}

/** An error about no single field. */
export function ProblemLine({ problem }: { problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <p className="err" role="alert">
      <Icon name="alert" />
      <span>{problem}</span>
    </p>
  );
}
