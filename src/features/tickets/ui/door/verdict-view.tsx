import { useEffect, useRef } from "react";
import { Icon, type IconName } from "#admin/ui/icon.tsx";
import { plural } from "#shared/language.ts";
import { findCompanions, type Verdict } from "../../door.ts";
import type { Door, JudgedScan, ReadyState } from "./door-session.ts";
import { describeVerdict } from "./words.ts";

type Props = {
  readonly judged: JudgedScan;
  readonly door: Door;
  readonly state: ReadyState;
  readonly onJudged: (judged: JudgedScan) => void;
  /** Does what was pressed, unless an earlier press is still being done. */
  readonly doOne: (work: () => Promise<unknown>) => Promise<void>;
  readonly onNext: () => void;
  readonly onFind: () => void;
};

/** Each kind has its own colour, shape, icon, word and sound. */
const signs: Readonly<Record<Verdict["kind"], { readonly shape: string; readonly icon: IconName }>> = {
  welcome: { shape: "star", icon: "tick" },
  already: { shape: "round", icon: "history" },
  cancelled: { shape: "oct", icon: "x" },
  other_event: { shape: "sq", icon: "swap" },
  damaged: { shape: "tri", icon: "half" },
  not_ours: { shape: "tri", icon: "alert" },
  not_listed: { shape: "tri", icon: "query" },
  not_kept: { shape: "oct", icon: "alert" },
};

export function VerdictView({ judged, door, state, onJudged, doOne, onNext, onFind }: Props) {
  const { verdict, scanId } = judged;
  const { word, who, what } = describeVerdict(verdict, state);
  const { shape, icon } = signs[verdict.kind];
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus(), []);
  const undo = async (serial: string, scanId: string) => {
    const refused = await door.undo(serial, scanId);
    if (refused === null) onNext();
    else onJudged(refused);
  };
  return (
    <>
      <span className={`sign ${shape}`}>
        <Icon name={icon} />
      </span>
      <p className="word">{word}</p>
      {who !== null && (
        <p className="who">
          <bdi>{who}</bdi>
        </p>
      )}
      <p className="what">{what}</p>
      <div className="door-low">
        <button className="btn" type="button" ref={next} onClick={onNext}>
          Next
        </button>
        {scanId !== null && verdict.kind === "welcome" ? (
          <button className="btn quiet" type="button" onClick={() => void undo(verdict.serial, scanId)}>
            <Icon name="undo" />
            Undo
          </button>
        ) : (
          <button className="btn quiet" type="button" onClick={onFind}>
            <Icon name="search" />
            Find a name
          </button>
        )}
        {verdict.kind === "welcome" && (
          <LetOthersIn verdict={verdict} door={door} state={state} onJudged={onJudged} doOne={doOne} />
        )}
      </div>
    </>
  );
}

/** People who come together often show one ticket for all. */
function LetOthersIn({
  verdict: { ticket },
  door,
  state,
  onJudged,
  doOne,
}: Pick<Props, "door" | "state" | "onJudged" | "doOne"> & { verdict: Extract<Verdict, { kind: "welcome" }> }) {
  const missing = ticket === null ? [] : findCompanions(ticket, state).missing;
  if (missing.length === 0) return null;
  const letIn = async () => {
    for (const { serial } of missing) {
      const judged = await door.takeTicket(serial);
      onJudged(judged);
      // Otherwise a later welcome would hide it.
      if (judged.verdict.kind === "not_kept") return;
    }
  };
  return (
    <button className="btn quiet whole" type="button" onClick={() => void doOne(letIn)}>
      {plural(missing.length, { one: "Let the other in too", other: `Let the other ${missing.length} in too` })}
    </button>
  );
}
