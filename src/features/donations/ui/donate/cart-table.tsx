import { Fragment } from "react";
import { formatDollars } from "#shared/language.ts";
import { type CartLine, findCategory, lineCents, type OfferedCategory, subtotalCents } from "../../cart.ts";
import { lineFault, lineTitle } from "./line-entry.ts";

/** The lines of a donation, each with a Delete button if `onDelete` is given. Stacked on phones. */
export function CartTable({ lines, categories, onDelete }: CartTableProps) {
  return (
    <table className="stacked cart">
      <caption className="sr">Your donations</caption>
      <thead>
        <tr>
          <th scope="col">Donation</th>
          <th scope="col" className="num">
            Quantity
          </th>
          <th scope="col" className="num">
            Amount
          </th>
          <th scope="col" className="num">
            Total
          </th>
          {onDelete && (
            <th scope="col">
              <span className="sr">Delete</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal lines may be added twice, and nothing else tells them apart
          <tr key={index}>
            <th scope="row">
              <LineName line={line} fault={lineFault(line, categories)} isDeductible={isDeductible(line, categories)} />
            </th>
            <td className="num" data-l="Quantity">
              {line.quantity}
            </td>
            <td className="num" data-l="Amount">
              {formatDollars(line.unitCents)}
            </td>
            <td className="num" data-l="Total">
              {formatDollars(lineCents(line))}
            </td>
            {onDelete && (
              <td className="num" data-l="">
                <button
                  type="button"
                  className="link-btn"
                  aria-label={`Delete ${deleteName(lines, index)}`}
                  onClick={() => onDelete(index)}
                >
                  Delete
                </button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={3}>
            Subtotal
          </th>
          <td className="num">{formatDollars(subtotalCents(lines))}</td>
          {onDelete && <td className="filler" />}
        </tr>
      </tfoot>
    </table>
  );
}

type CartTableProps = {
  readonly lines: readonly CartLine[];
  readonly categories: readonly OfferedCategory[];
  readonly onDelete?: (index: number) => void;
};

/** Also true for a category that no longer takes donations: its own message says so. */
const isDeductible = (line: CartLine, categories: readonly OfferedCategory[]) =>
  findCategory(line, categories)?.isDeductible !== false;

type LineNameProps = { line: CartLine; fault: string | undefined; isDeductible: boolean };

function LineName({ line, fault, isDeductible }: LineNameProps) {
  return (
    <span className="line-name">
      <b>{line.category}</b>
      {line.subcategory !== "" && <span>{line.subcategory}</span>}
      {line.onBehalfOf.length > 0 && <Names names={line.onBehalfOf} />}
      {!isDeductible && <span className="small muted">Not a tax-deductible gift</span>}
      {fault !== undefined && <span className="err">{fault}</span>}
    </span>
  );
}

/** Isolates each name's direction, so that Urdu names don't run into each other. */
function Names({ names }: { names: readonly string[] }) {
  return (
    <span className="small muted">
      On behalf of{" "}
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may be given twice
        <Fragment key={index}>
          {index > 0 && ", "}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
    </span>
  );
}

/** 'Zakat, $100.00', with a number where two lines would share that name. */
function deleteName(lines: readonly CartLine[], index: number): string {
  const nameOf = (line: CartLine) => `${lineTitle(line)}, ${formatDollars(lineCents(line))}`;
  const name = nameOf(lines[index]!);
  const alike = lines.filter((line) => nameOf(line) === name).length;
  return alike > 1 ? `${name}, line ${index + 1}` : name;
}
