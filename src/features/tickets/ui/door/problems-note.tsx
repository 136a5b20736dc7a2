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
  const { problems, lost } = state;
  const [first] = problems;
  return (
    <>
      {lost.length > 0 && (
        <p className="queue" role="alert">
          {plural(lost.length, {
            one: "The site does not know the ticket of 1 scan of this phone. Tell whoever manages the event.",
            other: `The site does not know the tickets of ${lost.length} scans of this phone. Tell whoever manages the event.`,
          })}
        </p>
      )}
      {first !== undefined && (
        <div className="queue" role="alert">
          <p>
            <b>{titles[first.kind]}</b>
            {problems.length > 1 && ` (and ${problems.length - 1} more)`}
          </p>
          <ul>
            {first.scans.map((scan) => (
              <li key={scan.id}>
                <bdi>{holderOf(findTicket(state.list, first.serial))}</bdi>
                <span>{describeScan(scan, state)}</span>
              </li>
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
