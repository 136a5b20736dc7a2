import { useEffect, useMemo, useReducer, useRef } from "react";
import { Icon } from "#shared/ui/icon.tsx";

/** From here on one may ask for more time. */
const LAST_SECONDS = 180;
const ANNOUNCED_AT = [300, 60] as const;

/** For how long the seats are held; said to those who do not see it when it begins, and when 5 minutes and 1 are left. */
export function HoldClock({ endsAt, isAsking, problem, onEnd, onMoreTime }: HoldClockProps) {
  const seconds = useSecondsLeft(endsAt, onEnd);
  const mark = ANNOUNCED_AT.findLast((at) => seconds <= at) ?? "start";
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each mark of each hold
  const said = useMemo(() => `Your seats are held for ${sayMinutes(seconds)}`, [endsAt, mark]);
  const isEnding = seconds <= LAST_SECONDS;
  return (
    <div className={isEnding ? "hold is-ending" : "hold"}>
      <p role="timer">
        <Icon name="clock" />
        <span>
          Your seats are held for <b className="num">{sayClock(seconds)}</b>
        </span>
      </p>
      <p className="sr" role="status">
        {said}
      </p>
      {problem !== undefined && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
      {isEnding && (
        <button type="button" className="btn" aria-disabled={isAsking} onClick={() => isAsking || onMoreTime()}>
          {isAsking ? "Holding your seats…" : "I need more time"}
        </button>
      )}
    </div>
  );
}

type HoldClockProps = {
  /** By this device's clock. */
  readonly endsAt: number;
  readonly isAsking: boolean;
  /** Why there is no more time. */
  readonly problem: string | undefined;
  readonly onEnd: () => void;
  readonly onMoreTime: () => void;
};

/** Ticks with the seconds, and at once when the page comes back to the front: timers sleep behind it. */
function useSecondsLeft(endsAt: number, onEnd: () => void): number {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      clearTimeout(timer);
      draw();
      const rest = endsAt - Date.now();
      if (rest <= 0) return end.current();
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

function sayClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function sayMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes === 1 ? "1 more minute" : `${minutes} more minutes`;
}
