import { useRef, useState } from "react";
import type { z } from "zod";
import { formatMoment, keepTogether } from "#shared/language.ts";
import { paths } from "#shared/paths.ts";
import { describeDevice } from "#shared/sessions/device.ts";
import { ask, askFor, describeRefusal } from "#shared/ui/ask.ts";
import { showToast } from "#shared/ui/feedback.ts";
import { ProblemLine, useOneAtATime } from "#shared/ui/form-actions.tsx";
import { useLoad } from "#shared/ui/use-load.tsx";
import { endOtherSessionsCall, listSessionsCall } from "../../contract.ts";
import { sendToLogin } from "../send-to-login.ts";

type Session = z.output<typeof listSessionsCall.data>[number];

/** Where the user is logged in, with a button that logs out all other devices. */
export function SessionsCard() {
  const title = useRef<HTMLHeadingElement>(null);
  const { sessions, problem, isBusy, reload, endOthers } = useSessions(() => title.current?.focus());
  const others = sessions?.filter(({ isThisOne }) => !isThisOne).length ?? 0;
  return (
    <section className="plain-card sessions needs-script" aria-labelledby="sessions-title">
      <h2 id="sessions-title" tabIndex={-1} ref={title}>
        Where you are logged in
      </h2>
      {sessions === undefined && problem === undefined && <p className="muted">Loading …</p>}
      {sessions !== undefined && (
        <ul className="session-list" aria-labelledby="sessions-title">
          {sessions.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </ul>
      )}
      {others > 0 && (
        <p className="muted small">
          Not all yours? Log out other devices, then <a href={paths.changePassword}>change your password</a>.
        </p>
      )}
      <ProblemLine problem={problem} />
      {sessions === undefined && problem !== undefined && (
        <button type="button" className="btn btn-quiet" onClick={reload}>
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
          Last visit <time dateTime={lastSeenAt}>{formatVisit(lastSeenAt)}</time>
        </span>
      )}
    </li>
  );
}

/** In the user's time zone. */
function formatVisit(at: string): string {
  return keepTogether(formatMoment(new Date(at), { dateStyle: "medium", timeStyle: "short" }));
}

function useSessions(onEnded: () => void) {
  const { data, error, reload } = useLoad(() => askFor(listSessionsCall));
  const [isAlone, setAlone] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const { isBusy, run } = useOneAtATime();
  const endOthers = async () => {
    setRefusal(undefined);
    const answer = await ask(endOtherSessionsCall);
    if (!answer.ok && answer.status === 401) return sendToLogin();
    if (!answer.ok) return setRefusal(`The other devices are still logged in. ${describeRefusal(answer)}`);
    setAlone(true);
    showToast("You are now logged in on this device only.");
    onEnded();
  };
  const problem = error === undefined ? refusal : `We couldn’t load where you’re logged in. ${error.message}`;
  return {
    sessions: isAlone ? data?.filter(({ isThisOne }) => isThisOne) : data,
    problem,
    isBusy,
    reload,
    endOthers: () => run(endOthers),
  };
}
