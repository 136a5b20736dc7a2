import { useEffectEvent, useRef, useState } from "react";
import { formatDollars } from "#shared/language.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { useFocus } from "#shared/ui/use-focus.ts";
import { useTries } from "#shared/ui/use-load.tsx";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import type { Checkout } from "../contract.ts";
import type { ChallengeFrame } from "./challenge-frame.ts";
import { type PaymentVerdict, readPaymentAnswer, withMoney } from "./outcome.ts";
import { finishChallenge } from "./payment-calls.ts";

const GIVE_UP_AFTER_MS = 5 * 60_000;

const NOT_LOADED =
  "Your bank’s page didn’t load. Your bank’s service or your connection may be interrupted. Nothing was charged.";
const NOT_YET = "Your bank hasn’t confirmed this payment yet. Nothing was charged.";
const ASKING = "Asking your bank. Please don’t close this page";
const endMessages = {
  cancelled: "You cancelled this payment.",
  late: "You didn’t answer your bank in time.",
} as const;

/** The bank's page, where the payer confirms; afterwards the server asks the bank for the result (DON-18). */
export function BankChallenge({ payway, totalCents, id, token, onEnd }: BankChallengeProps) {
  const heading = useFocus<HTMLHeadingElement>(token);
  const { problem, setProblem, isAsking, finish } = useFinishing(id, onEnd);
  const again = useFocus<HTMLButtonElement>(problem);
  const frame = useChallengeFrame({
    scriptUrl: payway.scriptUrl,
    token,
    onFailed: () => setProblem(NOT_LOADED),
    onEnded: () => void finish("ended"),
  });
  useOnMount(() => {
    const timer = setTimeout(() => void finish("late"), GIVE_UP_AFTER_MS);
    return () => clearTimeout(timer);
  });
  const tryAgain = () => {
    setProblem(undefined);
    heading.current?.focus();
    frame.openAgain();
  };
  return (
    <section className="block" aria-labelledby="challenge-heading">
      <h2 id="challenge-heading" tabIndex={-1} ref={heading}>
        Your bank asks you to confirm
      </h2>
      <p>
        Please answer your bank below, for example with a code or in its app. Your payment of{" "}
        {formatDollars(totalCents)} is charged only once you have confirmed it there.
      </p>
      <fieldset className="card-frame challenge">
        <legend className="sr">Your bank’s page</legend>
        <div className="challenge-place" ref={frame.place} />
        {problem !== undefined && (
          <div role="alert">
            <p>{problem}</p>
            <button type="button" className="btn btn-quiet" ref={again} onClick={tryAgain}>
              Try again
            </button>
          </div>
        )}
      </fieldset>
      <div className="form-actions">
        <button
          type="button"
          className="btn btn-quiet"
          aria-disabled={isAsking}
          onClick={() => isAsking || void finish("cancelled")}
        >
          Cancel payment
        </button>
        <span className="why" role="status">
          {isAsking ? "Asking your bank… Please don’t close this page." : ""}
        </span>
      </div>
    </section>
  );
}

type BankChallengeProps = {
  readonly payway: Checkout["payway"];
  readonly totalCents: number;
  /** The payment's id. */
  readonly id: string;
  readonly token: string;
  /** Never another challenge. */
  readonly onEnd: (verdict: PaymentVerdict) => void;
};

/** Asks the server, once the bank's page has ended or the payer gives up, what the bank has decided. */
function useFinishing(id: string, onEnd: BankChallengeProps["onEnd"]) {
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const isLocked = useRef(false);
  const finish = async (end: "ended" | "cancelled" | "late") => {
    if (isLocked.current) return;
    isLocked.current = true;
    setAsking(true);
    setProblem(undefined);
    const verdict = readPaymentAnswer(await whileLoading(finishChallenge(id, end !== "ended"), ASKING));
    if (verdict.kind === "challenge" || verdict.kind === "refused") {
      isLocked.current = false;
      setAsking(false);
      return setProblem(verdict.kind === "challenge" ? NOT_YET : withMoney(verdict.message, verdict.money));
    }
    const isGivenUp = verdict.kind === "failed" && end !== "ended";
    onEnd(isGivenUp ? { kind: "failed", message: endMessages[end] } : verdict);
  };
  return { problem, setProblem, isAsking, finish };
}

type FrameSetup = {
  readonly scriptUrl: string;
  readonly token: string;
  readonly onFailed: () => void;
  readonly onEnded: () => void;
};

/** Opens the bank's page in `place` and removes it on leaving. Its code loads only when a bank asks. */
function useChallengeFrame({ scriptUrl, token, ...events }: FrameSetup) {
  const place = useRef<HTMLDivElement>(null);
  const onFailed = useEffectEvent(events.onFailed);
  const onEnded = useEffectEvent(events.onEnded);
  const { tryAgain } = useTries(`${scriptUrl} ${token}`, () => {
    let isGone = false;
    let frame: ChallengeFrame | undefined;
    import("./challenge-frame.ts").then(
      ({ openChallengeFrame }) => {
        if (isGone || place.current === null) return;
        frame = openChallengeFrame({ place: place.current, scriptUrl, token, onFailed, onEnded });
      },
      () => isGone || onFailed(),
    );
    return () => {
      isGone = true;
      frame?.close();
    };
  });
  return { place, openAgain: tryAgain };
}
