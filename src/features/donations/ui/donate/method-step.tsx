import { useState } from "react";
import { formatDollars } from "#shared/money.ts";
import { type CartLine, type Category, subtotalCents } from "../../cart.ts";
import { CartTable } from "./cart-table.tsx";
import { beginEntry, cartFault, type Entry, entryFault, findChosen, lineTitle } from "./line-entry.ts";
import { LineForm } from "./line-form.tsx";
import type { Catalogue } from "./use-catalogue.ts";
import type { Donation } from "./use-donation.ts";

/** Step 2: what to give to (DON-6 to DON-8). */
export function MethodStep({ donation, catalogue, onProblems }: MethodStepProps) {
  const { flow, tell } = donation;
  const { categories, checkout } = catalogue;
  const [said, setSaid] = useState("");
  const [removed, setRemoved] = useState<{ line: CartLine; index: number }>();
  const [entry, setEntry] = useState(() => beginEntry(flow.cause, categories));
  const fault =
    entryFault(entry, categories) ??
    cartFault(flow.lines, categories, checkout.limits) ??
    notAdded(findChosen(entry, categories).category);
  const [isFaultShown, setFaultShown] = useState(false);

  const subtotalWith = (change: number) => formatDollars(subtotalCents(flow.lines) + change);
  const cost = (line: CartLine) => line.quantity * line.unitCents;
  const change = (next: Entry) => {
    if (next.categoryId !== entry.categoryId) tell({ type: "leftCause" });
    setEntry(next);
  };
  const add = (line: CartLine) => {
    tell({ type: "added", line });
    setRemoved(undefined);
    setFaultShown(false);
    setSaid(`Added ${lineTitle(line)}. Subtotal ${subtotalWith(cost(line))}`);
  };
  const remove = (index: number) => {
    const line = flow.lines[index]!;
    tell({ type: "deleted", index });
    setRemoved({ line, index });
    setSaid(`Deleted ${lineTitle(line)}. Subtotal ${subtotalWith(-cost(line))}`);
    document.getElementById("cart-heading")?.focus();
  };
  const undo = () => {
    if (removed === undefined) return;
    tell({ type: "restored", ...removed });
    setRemoved(undefined);
    setSaid(`Put back ${lineTitle(removed.line)}. Subtotal ${subtotalWith(cost(removed.line))}`);
    document.getElementById("cart-heading")?.focus();
  };
  const next = () => {
    if (fault === undefined) return donation.goOn();
    setFaultShown(true);
    setSaid(fault);
  };
  return (
    <div className="flow-main">
      <section className="plain-card" aria-labelledby="method-heading">
        <p className="step-count">Step 2 of 4</p>
        <h2 id="method-heading">Choose what to give to</h2>
        <p className="hint limits">
          Give from {formatDollars(checkout.limits.minimumCents)} to {formatDollars(checkout.limits.maximumCents)}
          &nbsp;AUD at one time, to as many causes as you like.
        </p>
        <LineForm
          categories={categories}
          lines={flow.lines}
          entry={entry}
          onEntry={change}
          onAdd={add}
          onProblems={onProblems}
        />
      </section>
      <section className="plain-card" aria-labelledby="cart-heading">
        <h2 id="cart-heading" tabIndex={-1}>
          Your donations
        </h2>
        {flow.lines.length === 0 ? (
          <p className="muted empty-cart">
            Nothing here yet. Choose a category above, enter an amount and press Add Donation.
          </p>
        ) : (
          <CartTable lines={flow.lines} categories={categories} onDelete={remove} />
        )}
        {removed !== undefined && (
          <p className="undo">
            Deleted {lineTitle(removed.line)}.{" "}
            <button type="button" className="link-btn" onClick={undo}>
              Undo <span className="sr">deleting {lineTitle(removed.line)}</span>
            </button>
          </p>
        )}
        <p className="sr" role="status">
          {said}
        </p>
        <div className="form-actions">
          {!flow.isChanging && (
            <button type="button" className="btn btn-quiet" onClick={donation.goBack}>
              Previous
            </button>
          )}
          <button
            type="button"
            className="btn"
            aria-disabled={fault !== undefined}
            aria-describedby={fault === undefined ? undefined : "cart-why"}
            onClick={next}
          >
            {flow.isChanging ? "Save and go back to Preview" : "Next"}
          </button>
          {fault !== undefined && (
            <span className={isFaultShown ? "why err" : "why"} id="cart-why">
              {fault}
            </span>
          )}
        </div>
      </section>
    </div>
  );
}

/** A line that was begun is neither lost nor added unseen. */
function notAdded(category: Category | undefined): string | undefined {
  if (category === undefined) return undefined;
  return `${category.title} is not added yet. Press Add Donation, or set the category back to ‘Choose a category’.`;
}

type MethodStepProps = {
  readonly donation: Donation;
  readonly catalogue: Catalogue;
  readonly onProblems: (has: boolean) => void;
};
