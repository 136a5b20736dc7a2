import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { plural } from "#shared/language.ts";
import type { Door, DoorState } from "./door-session.ts";

type Props = { readonly door: Door; readonly state: DoorState; readonly organisationName: string };

/** Asks for the code that pairs this phone; the address that staff show as a QR code brings it along. */
export function PairView({ door, state, organisationName }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const { code, setCode, problem, isBusy, pair } = usePairing(door, field);
  const isAway = state.isPaired !== false;
  return (
    <div className="door">
      <div className="door-page">
        <p className="door-small">{organisationName}</p>
        <h1>Pair this phone with the door</h1>
        {state.phone !== "" && (
          <p className="door-note" role="alert">
            This phone’s pass has ended, so it checks nobody in. Ask whoever manages the event for a new code.
          </p>
        )}
        {state.waiting.length > 0 && (
          <p className="door-note" role="alert">
            {plural(state.waiting.length, {
              one: "1 scan is still on this phone. It is sent once the phone is paired again.",
              other: `${state.waiting.length} scans are still on this phone. They are sent once it is paired again.`,
            })}
          </p>
        )}
        {isAway && (
          <p className="door-note" role="alert">
            The site does not answer. Pairing needs a network; afterwards the door works without one.
          </p>
        )}
        <p>Staff find the code in the back office, under Events, the event, Door. It works for 15 minutes, once.</p>
        <form method="post" onSubmit={pair} noValidate className="door-form">
          <label htmlFor="door-code">Code</label>
          {problem !== null && (
            <p className="door-err" id="door-code-error" role="alert">
              {problem}
            </p>
          )}
          <input
            ref={field}
            id="door-code"
            className="input"
            dir="auto"
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="K7Q2-M9XW"
            aria-invalid={problem === null ? undefined : true}
            aria-describedby={problem === null ? undefined : "door-code-error"}
          />
          <button className="btn" type="submit" aria-busy={isBusy || undefined}>
            Pair this phone
          </button>
        </form>
        <p className="door-small">
          On an iPhone, first add this page to the home screen (Share, Add to Home Screen), open it from there, and pair
          it there.
        </p>
      </div>
    </div>
  );
}

function usePairing(door: Door, field: RefObject<HTMLInputElement | null>) {
  const [code, setCode] = useState(() => decodeURIComponent(location.hash.slice(1)));
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  const pair = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (code.trim() === "") {
      setProblem("Type the code that staff gave you.");
      field.current?.focus();
      return;
    }
    setIsBusy(true);
    const refusal = await door.pair(code);
    setIsBusy(false);
    setProblem(refusal);
    if (refusal !== null) field.current?.focus();
  };
  return { code, setCode, problem, isBusy, pair };
}
