import type { ReactNode } from "react";
import { chosenName, ONLY_CHOSEN } from "../chosen-rows.ts";

/**
 * A form around a table whose rows can be ticked, with the buttons for what can be done with them: each sends the ids to
 * its `formAction`. Without JavaScript the buttons are always there, and nothing is counted.
 */
export function ChooseRows({ label, buttons, children }: { label: string; buttons: ReactNode; children: ReactNode }) {
  return (
    <form method="get" className="choose" aria-label={label} data-enhance="choose-rows">
      <input type="hidden" {...ONLY_CHOSEN} />
      {children}
      <div className="bulk">
        <b className="num" role="status">
          With the ticked rows:
        </b>
        {buttons}
        <button className="btn quiet" type="reset">
          Clear
        </button>
      </div>
    </form>
  );
}

/** Ticks all rows of the page; the script shows it. */
export function ChooseAll() {
  return (
    <th scope="col">
      <label className="box-hit">
        <span className="sr">Choose all on this page</span>
        <input className="box" type="checkbox" data-all hidden />
      </label>
    </th>
  );
}

/** The box of a row; `name` says which: 'Amina Raza, $50.00'. */
export function ChooseRow({ id, name, cents }: { id: string; name: string; cents: number }) {
  return (
    <td className="sel-c">
      <label className="box-hit">
        <span className="sr">
          Choose <bdi>{name}</bdi>
        </span>
        <input className="box" type="checkbox" name={chosenName(id)} value="1" data-cents={cents} />
      </label>
    </td>
  );
}
