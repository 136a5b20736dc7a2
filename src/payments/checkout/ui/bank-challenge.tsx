import { useEffect, useRef, useState } from "react";
import { formatDollars } from "#shared/money.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { Checkout } from "../contract.ts";
import type { ChallengeFrame } from "./challenge-frame.ts";
import { readPaymentAnswer, type Verdict, withMoney } from "./outcome.ts";
import { finishChallenge } from "./payment-calls.ts";
import type { PayWords } from "./words.ts";

const GIVE_UP_AFTER_MS = 5 * 60_000;

const NOT_LOADED = "Your bank's page did not load. Please check your connection. Nothing was charged.";
const NOT_YET = "Your bank has not confirmed this payment yet. Nothing was charged.";
const saysOfEnd = {
  cancelled: "You cancelled this payment.",
  late: "Your bank's question was not answered in time.",
} as const;

/** The page of the card's bank, where the payer confirms; the server asks the bank what came of it (DON-18). */
export function BankChallenge({ payway, totalCents, noun, id, token, onEnd }: BankChallengeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const again = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const isLocked = useRef(false);

  const finish = async (end: "ended" | "cancelled" | "late") => {
    if (isLocked.current) return;
    isLocked.current = true;
    setAsking(true);
    setProblem(undefined);
    const verdict = readPaymentAnswer(await whileLoading(finishChallenge(id, end !== "ended")));
    if (verdict.kind === "challenge" || verdict.kind === "refused") {
      isLocked.current = false;
      setAsking(false);
      return setProblem(verdict.kind === "challenge" ? NOT_YET : withMoney(verdict.message, verdict.money));
    }
    const isGivenUp = verdict.kind === "failed" && end !== "ended";
    onEnd(isGivenUp ? { kind: "failed", message: saysOfEnd[end] } : verdict);
  };
  const frame = useChallengeFrame({
    scriptUrl: payway.scriptUrl,
    token,
    onFailed: () => setProblem(NOT_LOADED),
    onEnded: () => void finish("ended"),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: one question, one time to answer it
  useEffect(() => {
    heading.current?.focus();
    const timer = setTimeout(() => void finish("late"), GIVE_UP_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (problem !== undefined) again.current?.focus();
  }, [problem]);
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
        Please answer your bank below, for example with a code or in its app. Your {noun} of {formatDollars(totalCents)}{" "}
        is charged only once you have confirmed it there.
      </p>
      <fieldset className="card-frame challenge">
        <legend className="sr">Your bank's page</legend>
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
          {isAsking ? "Asking your bank… Please wait, and do not close this page." : ""}
        </span>
      </div>
    </section>
  );
}

type BankChallengeProps = {
  readonly payway: Checkout["payway"];
  readonly totalCents: number;
  readonly noun: PayWords["noun"];
  /** The payment. */
  readonly id: string;
  /** The card's. */
  readonly token: string;
  /** Never another challenge. */
  readonly onEnd: (verdict: Verdict) => void;
};

type FrameSetup = {
  readonly scriptUrl: string;
  readonly token: string;
  readonly onFailed: () => void;
  readonly onEnded: () => void;
};

/** The bank's page in `place`, taken away on leaving; its code comes only when a bank asks. */
function useChallengeFrame({ scriptUrl, token, ...events }: FrameSetup) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(events);
  latest.current = events;
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try opens anew
  useEffect(() => {
    let isGone = false;
    let frame: ChallengeFrame | undefined;
    import("./challenge-frame.ts").then(
      ({ openChallengeFrame }) => {
        if (isGone || place.current === null) return;
        frame = openChallengeFrame({
          place: place.current,
          scriptUrl,
          token,
          onFailed: () => latest.current.onFailed(),
          onEnded: () => latest.current.onEnded(),
        });
      },
      () => isGone || latest.current.onFailed(),
    );
    return () => {
      isGone = true;
      frame?.close();
    };
  }, [scriptUrl, token, tries]);
  return { place, openAgain: () => setTries((count) => count + 1) };
}
