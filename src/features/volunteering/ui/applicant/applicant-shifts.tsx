import { useRef, useState } from "react";
import { plural } from "#shared/language.ts";
import { Confirmation } from "#shared/ui/confirmation.tsx";
import { NOT_LOADED, reloadWith, whileLoading } from "#shared/ui/feedback.ts";
import type { ShownShift } from "../../applicant.ts";

type ApplicantShiftsProps = {
  readonly id: string;
  readonly shifts: readonly ShownShift[];
  /** Reloads the page and shows the message on it. */
  readonly reload?: (message: string) => void;
};

/** The shifts that a volunteer may sign up for, each with its buttons. */
export function ApplicantShifts({ id, shifts, reload = reloadWith }: ApplicantShiftsProps) {
  const [fault, setFault] = useState({ shift: "", text: "" });
  /** Returns why it failed, or undefined. */
  const change = async (shift: string, role: string | null) => {
    const asked = import("./applicant-calls.ts").then((calls) => calls.changePlace(id, shift, role));
    const outcome = await whileLoading(asked).catch(() => ({ isDone: false, text: NOT_LOADED }));
    if (!outcome.isDone) return outcome.text;
    reload(outcome.text);
    return undefined;
  };
  const take = async (shift: string, role: string) => setFault({ shift, text: (await change(shift, role)) ?? "" });
  return (
    <ul className="shifts">
      {shifts.map((shift) => (
        <li key={shift.id}>
          <h3>
            <bdi>{shift.title}</bdi>
          </h3>
          <p>
            {shift.when}
            {shift.place !== "" && (
              <>
                , <bdi>{shift.place}</bdi>
              </>
            )}
          </p>
          {shift.notes !== "" && (
            <p className="typed" dir="auto">
              {shift.notes}
            </p>
          )}
          {shift.taken === null ? (
            <Offers shift={shift} onTake={(role) => take(shift.id, role)} />
          ) : (
            <Place shift={shift} onLeave={() => change(shift.id, null)} />
          )}
          {fault.shift === shift.id && fault.text !== "" && (
            <p className="err" role="alert">
              {fault.text}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Asks for confirmation, because somebody else may take the place immediately. */
function Place({ shift, onLeave }: { shift: ShownShift; onLeave: () => Promise<string | undefined> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <p>
        <b>You are signed up for {shift.taken}.</b>
      </p>
      <button type="button" className="btn btn-quiet" onClick={() => dialog.current?.showModal()}>
        Withdraw
        <span className="sr"> from {shift.title}</span>
      </button>
      <Confirmation
        dialog={dialog}
        titleId={`leave-${shift.id}`}
        title="Withdraw from this shift?"
        confirm="Yes, withdraw"
        keep="Keep my place"
        act={onLeave}
      >
        <p>
          <bdi>{shift.title}</bdi>, {shift.when}. Somebody else can then take your place. If nobody does, you can sign
          up again.
        </p>
      </Confirmation>
    </>
  );
}

function Offers({ shift, onTake }: { shift: ShownShift; onTake: (role: string) => void }) {
  return shift.roles.map(({ role, free, needsValidCheck }) => {
    if (needsValidCheck) {
      return (
        <p className="muted" key={role}>
          {role}: you need a Working With Children Check that we have verified and that is valid on the day.
        </p>
      );
    }
    if (free <= 0) {
      return (
        <p className="muted" key={role}>
          {role}: all places are taken.
        </p>
      );
    }
    return (
      <p key={role}>
        <button type="button" className="btn" onClick={() => onTake(role)}>
          Sign up for {role}
          <span className="sr">, {shift.title}</span>
        </button>{" "}
        <span className="muted">{plural(free, { one: "1 place left", other: `${free} places left` })}</span>
      </p>
    );
  });
}
