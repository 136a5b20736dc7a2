import { useEffect, useRef, useState } from "react";
import { Icon } from "#admin/ui/icon.tsx";
import { useOneAtATime } from "#shared/ui/form-actions.tsx";
import { countByType } from "../../door.ts";
import type { Door, JudgedScan, ReadyState } from "./door-session.ts";
import { FindView } from "./find-view.tsx";
import { ProblemsNote } from "./problems-note.tsx";
import { signal } from "./signals.ts";
import { type Camera, useCamera } from "./use-camera.ts";
import { useTypedCodes } from "./use-typed-codes.ts";
import { VerdictView } from "./verdict-view.tsx";

type Props = { readonly door: Door; readonly state: ReadyState; readonly onCheck: () => void };

/** A code that stays before the camera is judged once. */
const SAME_CODE_MS = 3000;
/** When to say how a code is easier to read. */
const HINT_AFTER_MS = 8000;

/** Shows the camera until there is a verdict. It keeps scanning while the verdict shows, for the next person. */
export function ScanView({ door, state, onCheck }: Props) {
  const [judged, setJudged] = useState<(JudgedScan & { readonly number: number }) | null>(null);
  const [isFinding, setIsFinding] = useState(false);
  const { run: doOne } = useOneAtATime();
  const video = useRef<HTMLVideoElement>(null);
  const showVerdict = (next: JudgedScan) => {
    signal(next.verdict.kind);
    setJudged((last) => ({ ...next, number: (last?.number ?? 0) + 1 }));
    setIsFinding(false);
  };
  const take = useTakeCode(door, showVerdict);
  const camera = useCamera(video, (text) => take(text, "camera"));
  useTypedCodes((text) => take(text, "scanner"));
  const next = () => setJudged(null);
  const find = () => {
    setJudged(null);
    setIsFinding(true);
  };
  const isScanning = judged === null && !isFinding;
  return (
    <div className={`door ${judged?.verdict.kind ?? ""}`}>
      <DoorHead state={state} onCheck={onCheck} />
      <div className="face">
        <div className="finder" hidden={!isScanning}>
          <video ref={video} muted playsInline aria-label="Picture of the camera" />
        </div>
        {isScanning && <ScanWords camera={camera} isOnline={state.isOnline} />}
        {isFinding && (
          <FindView
            door={door}
            state={state}
            onJudged={showVerdict}
            doOne={doOne}
            onClose={() => setIsFinding(false)}
          />
        )}
        <div role="status" aria-live="assertive" className="told">
          {judged !== null && (
            <VerdictView
              key={judged.number}
              judged={judged}
              door={door}
              state={state}
              onJudged={showVerdict}
              doOne={doOne}
              onNext={next}
              onFind={find}
            />
          )}
        </div>
      </div>
      <div className="door-foot">
        <ProblemsNote door={door} state={state} />
        {isScanning && <ScanButtons light={camera.light} onFind={find} />}
        <Counts state={state} />
      </div>
    </div>
  );
}

function ScanButtons({ light, onFind }: Pick<Camera, "light"> & { readonly onFind: () => void }) {
  return (
    <div className="door-low">
      <button className="btn quiet" type="button" onClick={onFind}>
        <Icon name="search" />
        Find a name
      </button>
      {light !== null && (
        <button className="btn quiet" type="button" aria-pressed={light.isOn} onClick={light.toggle}>
          Light
        </button>
      )}
    </div>
  );
}

/** Judges one code after the other. What a camera sees again within three seconds is the same person. */
function useTakeCode(door: Door, showVerdict: (judged: JudgedScan) => void) {
  const last = useRef({ text: "", at: 0 });
  const before = useRef(Promise.resolve());
  return (text: string, by: "camera" | "scanner") => {
    const at = performance.now();
    const isSame = text === last.current.text && at - last.current.at < SAME_CODE_MS;
    last.current = { text, at };
    if (by === "camera" && isSame) return;
    before.current = before.current.then(async () => showVerdict(await door.takeCode(text)));
  };
}

function DoorHead({ state, onCheck }: Pick<Props, "state" | "onCheck">) {
  const { waiting, isOnline, list, phone } = state;
  const network = !isOnline ? "No network" : "Online";
  return (
    <header className="door-top">
      <h1>
        <b>
          <bdi>{list.event.title}</bdi>
        </b>
        <small>
          Door: <bdi>{phone}</bdi>
        </small>
      </h1>
      <p className="net" role="status">
        {waiting.length > 0 ? `${network}, ${waiting.length} to send` : network}
      </p>
      <button className="btn quiet" type="button" onClick={onCheck}>
        Check
      </button>
    </header>
  );
}

const cameraWords: Readonly<Record<Exclude<Camera["state"], "on">, string>> = {
  starting: "The camera is starting.",
  blocked: "The camera is blocked. Allow it in the browser’s settings for this site, or find names.",
  none: "This phone has no camera that a page may use. Use a scanner that types, or find names.",
  "not secure": "Browsers give the camera only to https addresses. Use a scanner that types, or find names.",
};

function ScanWords({ camera, isOnline }: { camera: Camera; isOnline: boolean }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), HINT_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (camera.state !== "on") return <p className="what">{cameraWords[camera.state]}</p>;
  const plain = isOnline
    ? "Paper and phones both work."
    : "No network. Keep going: tickets are checked on this phone and sent later.";
  return (
    <>
      <p className="word small">Hold the code in the frame</p>
      <p className="what">
        {isSlow ? "Hard to read? Make the screen brighter, tilt it away from lamps, and hold it still." : plain}
      </p>
    </>
  );
}

function Counts({ state }: Pick<Props, "state">) {
  return (
    <dl className="counts">
      {countByType(state)
        .filter(({ all, came }) => all + came > 0)
        .map(({ title, came, all }) => (
          <div key={title}>
            <dt dir="auto">{title}</dt>
            <dd>{`${came} of ${all}`}</dd>
          </div>
        ))}
    </dl>
  );
}
