import { plural } from "#shared/language.ts";
import { type DoorProblem, findTicket } from "../../door.ts";
import type { Door, ReadyState } from "./door-session.ts";
import { describeScan, holderOf } from "./words.ts";

const titles: Readonly<Record<DoorProblem["kind"], string>> = {
  twice: "One ticket came in more than once while the phones were apart",
  cancelled: "A ticket came in that had been cancelled before",
};

/** What this phone could not know when it let somebody in. */
export function ProblemsNote({ door, state }: { readonly door: Door; readonly state: ReadyState }) {
  const { problems, lost, admissions } = state;
  const [first] = problems;
  const ticket = first === undefined ? null : findTicket(state.list, first.serial);
  const unknown = new Set(lost.map(({ serial }) => serial).filter((serial) => admissions.has(serial))).size;
  return (
    <>
      {unknown > 0 && (
        <p className="queue" role="alert">
          {plural(unknown, {
            one: "The site does not know 1 ticket that this phone let in. Tell whoever manages the event.",
            other: `The site does not know ${unknown} tickets that this phone let in. Tell whoever manages the event.`,
          })}
        </p>
      )}
      {first !== undefined && (
        <div className="queue" role="alert">
          <p>
            <b>{titles[first.kind]}</b>
            {problems.length > 1 && ` (and ${problems.length - 1} more)`}
          </p>
          <p>
            <bdi>{holderOf(ticket)}</bdi>
            {ticket !== null && `, ${ticket.number}`}
          </p>
          <ul>
            {first.scans.map((scan) => (
              <li key={scan.id}>{describeScan(scan, state)}</li>
            ))}
          </ul>
          <button className="btn quiet" type="button" onClick={() => void door.settle(first)}>
            I have looked into it
          </button>
        </div>
      )}
    </>
  );
}
