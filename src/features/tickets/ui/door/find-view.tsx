import { useState } from "react";
import { plural } from "#shared/language.ts";
import { findByName } from "../../door.ts";
import type { DoorTicket } from "../../door-contract.ts";
import type { Door, JudgedScan, ReadyState } from "./door-session.ts";
import { describeScan, holderOf } from "./words.ts";

type Props = {
  readonly door: Door;
  readonly state: ReadyState;
  readonly onJudged: (judged: JudgedScan) => void;
  /** Does what was pressed, unless an earlier press is still being done. */
  readonly doOne: (work: () => Promise<unknown>) => Promise<void>;
  readonly onClose: () => void;
};

const MAX_FOUND = 30;

/** For tickets that cannot be read: finds them by the holder's name, or the number that is printed on them. */
export function FindView({ onClose, ...acting }: Props) {
  const { state } = acting;
  const [typed, setTyped] = useState("");
  const found = findByName(state.list.tickets, typed, MAX_FOUND);
  const status = typed.trim() === "" ? "" : countFound(found.length);
  return (
    <search className="door-find">
      <label htmlFor="door-name">Name, or number of the ticket</label>
      <input
        id="door-name"
        className="input"
        type="search"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to type a name
        autoFocus
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => key === "Escape" && onClose()}
      />
      <p role="status">{status}</p>
      <ul>
        {found.map((ticket) => (
          <Found key={ticket.serial} ticket={ticket} {...acting} />
        ))}
      </ul>
      <button className="btn quiet" type="button" onClick={onClose}>
        Back to the camera
      </button>
    </search>
  );
}

function countFound(count: number): string {
  if (count === 0) return "Nobody has this name or number.";
  if (count === MAX_FOUND) return `The first ${MAX_FOUND} tickets. Type more of the name.`;
  return plural(count, { one: "1 ticket", other: `${count} tickets` });
}

function Found({ ticket, door, state, onJudged, doOne }: Omit<Props, "onClose"> & { readonly ticket: DoorTicket }) {
  const { serial, number, typeId, cancelledAt } = ticket;
  const [scan] = state.admissions.get(serial) ?? [];
  const type = state.list.types.find(({ id }) => id === typeId)?.title;
  const name = holderOf(ticket);
  const undo = async (scanId: string) => {
    const refused = await door.undo(serial, scanId);
    if (refused !== null) onJudged(refused);
  };
  const where =
    cancelledAt !== null ? "Cancelled" : scan === undefined ? null : `In since ${describeScan(scan, state)}`;
  return (
    <li>
      <p>
        <b>
          <bdi>{name}</bdi>
        </b>
        <small>
          {type}, {number}
        </small>
        {where !== null && <small>{where}</small>}
      </p>
      {scan !== undefined ? (
        <button
          className="btn quiet"
          type="button"
          aria-label={`Undo: ${name}, ${number}`}
          onClick={() => void doOne(() => undo(scan.id))}
        >
          Undo
        </button>
      ) : (
        cancelledAt === null && (
          <button
            className="btn"
            type="button"
            aria-label={`Let in: ${name}, ${number}`}
            onClick={() => void doOne(() => door.takeTicket(serial).then(onJudged))}
          >
            Let in
          </button>
        )
      )}
    </li>
  );
}
