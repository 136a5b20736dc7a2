import { useEffect, useEffectEvent, useReducer, useState } from "react";
import { formatMomentInSydney, plural } from "#shared/language.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { isLongHold } from "../../order.ts";

/** From then on, the button for more time is shown. */
const LAST_SECONDS = 180;
const ANNOUNCED_AT = [300, 60] as const;

/** How long the seats are held. Screen readers hear it at the start, and with 5 minutes and 1 minute left. */
export function HoldClock({ endsAt, isAsking, problem, onEnd, onMoreTime }: HoldClockProps) {
  const seconds = useSecondsLeft(endsAt, onEnd);
  const mark: number | "start" = ANNOUNCED_AT.findLast((at) => seconds <= at) ?? "start";
  const [shown, setShown] = useState({ endsAt: 0, mark, text: "" });
  // Once for each mark of each hold.
  if (shown.endsAt !== endsAt || shown.mark !== mark) setShown({ endsAt, mark, text: describeHold(seconds, endsAt) });
  const isEnding = seconds <= LAST_SECONDS;
  return (
    <div className={isEnding ? "hold is-ending" : "hold"}>
      <p role="timer">
        <Icon name="clock" />
        {isLongHold(seconds * 1000) ? (
          <span key="long">{`Your seats are held until ${formatMomentInSydney(new Date(endsAt))}`}</span>
        ) : (
          <span key="short">
            Your seats are held for <b className="num">{formatClock(seconds)}</b>
          </span>
        )}
      </p>
      <p className="sr" role="status">
        {shown.text}
      </p>
      {problem !== undefined && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
      {isEnding && onMoreTime !== undefined && (
        <button type="button" className="btn" aria-disabled={isAsking} onClick={() => isAsking || onMoreTime()}>
          {isAsking ? "Holding your seats…" : "I need more time"}
        </button>
      )}
    </div>
  );
}

type HoldClockProps = {
  /** By this device's clock, in milliseconds. */
  readonly endsAt: number;
  readonly isAsking: boolean;
  /** Why the hold could not be extended. */
  readonly problem: string | undefined;
  readonly onEnd: () => void;
  /** Undefined if the hold cannot be longer. */
  readonly onMoreTime: (() => void) | undefined;
};

/** Ticks every second, and when the page becomes visible again, because timers pause in the background. */
function useSecondsLeft(endsAt: number, onEnd: () => void): number {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      clearTimeout(timer);
      draw();
      const rest = endsAt - Date.now();
      if (rest <= 0) return end();
      timer = setTimeout(tick, rest % 1000 || 1000);
    };
    tick();
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [endsAt]);
  return Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
}

function formatClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function describeHold(seconds: number, endsAt: number): string {
  if (isLongHold(seconds * 1000)) return `Your seats are held until ${formatMomentInSydney(new Date(endsAt))}`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  return plural(minutes, {
    one: "Your seats are held for 1 more minute",
    other: `Your seats are held for ${minutes} more minutes`,
  });
}
