import { useState } from "react";
import { formatDollars } from "#shared/language.ts";
import { type CartCategory, type CartLine, subtotalCents } from "../../cart.ts";
import type { LineEntry } from "../../draft.ts";
import { CartTable } from "./cart-table.tsx";
import { beginEntry, cartFault, entryFault, entryLine, findChosen, lineFault, lineTitle } from "./line-entry.ts";
import { LineForm } from "./line-form.tsx";
import { StepActions } from "./step-actions.tsx";
import type { Catalogue } from "./use-catalogue.ts";
import type { DonationForm } from "./use-donation.ts";

/** Step 2: what to donate to (DON-6 to DON-8). */
export function MethodStep({ donation, catalogue, onProblems }: MethodStepProps) {
  const { flow, dispatch } = donation;
  const { categories, checkout } = catalogue;
  const { announcement, announce, removed, add, remove, undo } = useLines(donation);
  const entry = flow.entry ?? beginEntry(flow.cause, categories);
  const fault =
    entryFault(entry, categories) ??
    (flow.lines.length === 0 ? onlyEntered(entry, categories) : undefined) ??
    cartFault(flow.lines, categories, checkout.limits) ??
    notAdded(findChosen(entry, categories).category);
  const [isFaultShown, setFaultShown] = useState(false);

  const next = () => {
    if (fault === undefined) return donation.goOn();
    setFaultShown(true);
    announce(fault);
  };
  return (
    <div className="flow-main">
      <section className="plain-card" aria-labelledby="method-heading">
        <p className="step-count">Step 2 of 4</p>
        <h2 id="method-heading">Choose what to give to</h2>
        <p className="hint limits">
          Give from {formatDollars(checkout.limits.minimumCents)} to {formatDollars(checkout.limits.maximumCents)}
          &nbsp;AUD, to as many causes as you like.
        </p>
        <LineForm
          categories={categories}
          lines={flow.lines}
          entry={entry}
          onEntry={(next) => dispatch({ type: "entered", entry: next })}
          onAdd={(line) => {
            add(line);
            setFaultShown(false);
          }}
          onProblems={onProblems}
        />
      </section>
      <section className="plain-card" aria-labelledby="cart-heading">
        <h2 id="cart-heading" tabIndex={-1}>
          Your donations
        </h2>
        {flow.lines.length === 0 ? (
          <p className="muted empty-cart">
            {entry.categoryId === undefined
              ? "Nothing here yet. Choose a category above, enter an amount and press Add Donation."
              : "Nothing here yet."}
          </p>
        ) : (
          <CartTable lines={flow.lines} categories={categories} onDelete={remove} />
        )}
        {removed !== undefined && <DeletedLine title={lineTitle(removed.line)} onUndo={undo} />}
        <p className="sr" role="status">
          {announcement}
        </p>
        <StepActions donation={donation} reasonId="cart-why" reason={fault} isAlert={isFaultShown} onClick={next} />
      </section>
    </div>
  );
}

function DeletedLine({ title, onUndo }: { title: string; onUndo: () => void }) {
  return (
    <p className="undo">
      <span>{`Deleted ${title}.`}</span>{" "}
      <button type="button" className="link-btn" onClick={onUndo}>
        Undo <span className="sr">{`deleting ${title}`}</span>
      </button>
    </p>
  );
}

/** Adds and deletes lines, and says so to screen readers, with the subtotal. The last deletion can be undone. */
function useLines({ flow, dispatch }: DonationForm) {
  const [announcement, announce] = useState("");
  const [removed, setRemoved] = useState<{ line: CartLine; index: number }>();
  const announceLine = (act: string, line: CartLine, direction: 1 | -1) => {
    const subtotal = subtotalCents(flow.lines) + direction * line.quantity * line.unitCents;
    announce(`${act} ${lineTitle(line)}. Subtotal ${formatDollars(subtotal)}`);
  };
  const focusCart = () => document.getElementById("cart-heading")?.focus();
  return {
    announcement,
    announce,
    removed,
    add(line: CartLine) {
      dispatch({ type: "added", line });
      setRemoved(undefined);
      announceLine("Added", line, 1);
    },
    remove(index: number) {
      const line = flow.lines[index]!;
      dispatch({ type: "deleted", index });
      setRemoved({ line, index });
      announceLine("Deleted", line, -1);
      focusCart();
    },
    undo() {
      if (removed === undefined) return;
      dispatch({ type: "restored", ...removed });
      setRemoved(undefined);
      announceLine("Put back", removed.line, 1);
      focusCart();
    },
  };
}

/** For a first donation that is entered but not added: what was entered is what the donor means to give. */
function onlyEntered(entry: LineEntry, categories: readonly CartCategory[]): string | undefined {
  const line = entryLine(entry, categories);
  if (lineFault(line, categories) !== undefined) return undefined;
  const amount = formatDollars(line.quantity * line.unitCents);
  return `${lineTitle(line)}, ${amount}, isn’t added yet. Press Add Donation.`;
}

/** Stops the donor from continuing with a line that is entered but not added. */
function notAdded(category: CartCategory | undefined): string | undefined {
  if (category === undefined) return undefined;
  return `${category.title} isn’t added yet. Press Add Donation, or set the category back to ‘Choose a category’.`;
}

type MethodStepProps = {
  readonly donation: DonationForm;
  readonly catalogue: Catalogue;
  readonly onProblems: (has: boolean) => void;
};
