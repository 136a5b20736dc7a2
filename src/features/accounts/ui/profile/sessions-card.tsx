import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { keepTogether } from "#shared/keep-together.ts";
import { paths } from "#shared/paths.ts";
import { ask, sayRefusal } from "#shared/ui/ask.ts";
import { showToast } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { endOtherSessionsCall, listSessionsCall } from "../../contract.ts";
import { describeDevice } from "../../device.ts";

type Session = z.output<typeof listSessionsCall.data>[number];

/** Where one is logged in, and the way to end it everywhere but here. */
export function SessionsCard() {
  const title = useRef<HTMLHeadingElement>(null);
  const { sessions, problem, isBusy, load, endOthers } = useSessions(() => title.current?.focus());
  const others = sessions?.filter(({ isThisOne }) => !isThisOne).length ?? 0;
  return (
    <section className="plain-card sessions" aria-labelledby="sessions-title">
      <h2 id="sessions-title" tabIndex={-1} ref={title}>
        Where you are logged in
      </h2>
      {sessions === undefined && problem === undefined && <p className="muted">Looking this up …</p>}
      {sessions !== undefined && (
        <ul className="session-list" aria-labelledby="sessions-title">
          {sessions.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </ul>
      )}
      {others > 0 && (
        <p className="muted small">
          Is one of them not yours? Log out the others, then <a href={paths.changePassword}>change your password</a>.
        </p>
      )}
      {problem !== undefined && (
        <p className="err" role="alert">
          <Icon name="alert" />
          <span>{problem}</span>
        </p>
      )}
      {sessions === undefined && problem !== undefined && (
        <button type="button" className="btn btn-quiet" onClick={load}>
          Try again
        </button>
      )}
      {others > 0 && (
        <button type="button" className="btn btn-quiet" aria-disabled={isBusy} onClick={endOthers}>
          Log out other devices
        </button>
      )}
    </section>
  );
}

function SessionLine({ session: { device, lastSeenAt, isThisOne } }: { session: Session }) {
  return (
    <li>
      <b>{describeDevice(device)}</b>
      {isThisOne ? (
        <span className="tag ok">This device</span>
      ) : (
        <span className="muted">
          Last visit <time dateTime={lastSeenAt}>{sayTime(lastSeenAt)}</time>
        </span>
      )}
    </li>
  );
}

/** In the person's own time zone. */
function sayTime(at: string): string {
  return keepTogether(
    new Intl.DateTimeFormat("en-AU", { dateStyle: "medium", timeStyle: "short" }).format(new Date(at)),
  );
}

function useSessions(onEnded: () => void) {
  const [sessions, setSessions] = useState<readonly Session[]>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const load = async () => {
    setProblem(undefined);
    const answer = await ask(listSessionsCall);
    if (answer.ok) setSessions(answer.data);
    else setProblem(`We could not look up where you are logged in. ${sayRefusal(answer)}`);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page opens
  useEffect(() => {
    void load();
  }, []);
  const endOthers = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    const answer = await ask(endOtherSessionsCall);
    setBusy(false);
    if (!answer.ok) return setProblem(`The other devices are still logged in. ${sayRefusal(answer)}`);
    setSessions(sessions?.filter(({ isThisOne }) => isThisOne));
    showToast("You are now logged in on this device only.");
    onEnded();
  };
  return { sessions, problem, isBusy, load, endOthers };
}
