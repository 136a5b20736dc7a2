import { type FormEvent, useState } from "react";
import { formatDollars } from "#shared/language.ts";
import { afterPress } from "#shared/ui/after-press.ts";
import { ErrorSummary } from "#shared/ui/form-error-summary.tsx";
import { describedBy, Field } from "#shared/ui/form-field.tsx";
import { NumberStepper } from "#shared/ui/form-number-stepper.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import {
  type CartCategory,
  type CartLine,
  fixedUnitCents,
  type LineFault,
  type LineField,
  lineCents,
  lineFaults,
  MAX_CART_LINES,
  MAX_LINE_QUANTITY,
  type OfferedCategory,
} from "../../cart.ts";
import type { LineEntry } from "../../draft.ts";
import { AmountFields } from "./amount-fields.tsx";
import {
  chooseCategory,
  chooseSubcategory,
  emptyEntry,
  entryLine,
  findChosen,
  isCartFull,
  nameCount,
  nameToCorrect,
} from "./line-entry.ts";
import { NameFields } from "./name-fields.tsx";

const fieldIds = {
  category: "category",
  subcategory: "subcategory",
  quantity: "quantity",
  unitCents: "amount",
} as const satisfies Partial<Record<LineField, string>>;

/** The form for the next line. Each category shows only the fields it needs (DON-6, DON-7). */
export function LineForm({ categories, lines, entry, onEntry, onAdd, onProblems }: LineFormProps) {
  const { category, subcategory } = findChosen(entry, categories);
  const line = entryLine(entry, categories);
  const faults = lineFaults(line, category);
  const shown = useShownFaults(entry, faults);
  const isFull = isCartFull(lines);

  const choose = (next: LineEntry) => {
    onEntry(next);
    shown.showNone();
    onProblems(false);
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (isFull) return;
    if (faults.length > 0) {
      shown.showAll();
      onProblems(true);
      return;
    }
    onAdd(line);
    choose(emptyEntry);
    document.getElementById(fieldIds.category)?.focus();
  };
  return (
    <form className="line-form" method="post" noValidate onSubmit={add} aria-labelledby="method-heading">
      <ErrorSummary problems={shown.problems} shownAt={shown.shownAt} />
      <CategoryField
        categories={categories}
        category={category}
        value={entry.categoryId}
        error={shown.errorOf("category")}
        onChoose={(chosen) => choose(chooseCategory(chosen))}
      />
      {category?.hasSubcategories && (
        <SubcategoryField
          category={category}
          entry={entry}
          error={shown.errorOf("subcategory")}
          onChoose={(id) => choose(chooseSubcategory(entry, category, id))}
        />
      )}
      {category !== undefined && (!category.hasSubcategories || subcategory !== undefined) && (
        <GiftFields category={category} subcategory={subcategory} entry={entry} shown={shown} onEntry={onEntry} />
      )}
      <AddRow line={line} why={isFull ? `A donation can have at most ${MAX_CART_LINES} lines.` : faults[0]?.message} />
    </form>
  );
}

type LineFormProps = {
  readonly categories: readonly OfferedCategory[];
  readonly lines: readonly CartLine[];
  readonly entry: LineEntry;
  readonly onEntry: (entry: LineEntry) => void;
  readonly onAdd: (line: CartLine) => void;
  readonly onProblems: (has: boolean) => void;
};

/** All faults once the donor has pressed the button; before that, those of fields that they have left. */
function useShownFaults(entry: LineEntry, faults: readonly LineFault[]) {
  const [shownAt, setShownAt] = useState(0);
  const [left, setLeft] = useState<readonly LineField[]>([]);
  const problems = faults.map(({ field, message }) => ({
    fieldId: field === "onBehalfOf" ? `name-${nameToCorrect(entry) + 1}` : fieldIds[field],
    message,
  }));
  return {
    problems: shownAt === 0 ? [] : problems,
    shownAt,
    showAll: () => setShownAt(shownAt + 1),
    showNone() {
      setShownAt(0);
      setLeft([]);
    },
    /** A quantity shows its error immediately, other fields once they lose focus. */
    errorOf: (field: LineField) =>
      shownAt > 0 || left.includes(field) || (field === "quantity" && entry.quantity.trim() !== "")
        ? faults.find((fault) => fault.field === field)?.message
        : undefined,
    leave(field: LineField, typed: string) {
      if (typed.trim() !== "") afterPress(() => setLeft((before) => [...before, field]));
    },
  };
}

/** How many, how much, and for whom: what the kind of gift leaves to the donor. */
function GiftFields({ category, subcategory, entry, shown: { errorOf, leave }, onEntry }: GiftFieldsProps) {
  return (
    <>
      {category.quantityIsEditable && (
        <NumberStepper
          id={fieldIds.quantity}
          label="Quantity"
          unit={subcategory?.title ?? category.title}
          hint={category.asksNames ? "We’ll ask who each one is on behalf of." : undefined}
          error={errorOf("quantity")}
          value={entry.quantity}
          minimum={1}
          maximum={MAX_LINE_QUANTITY}
          onChange={(quantity) => onEntry({ ...entry, quantity })}
          onBlur={() => leave("quantity", entry.quantity)}
        />
      )}
      {category.amountIsEditable && (
        <AmountFields
          id={fieldIds.unitCents}
          isEach={category.quantityIsEditable}
          suggestedCents={category.suggestedCents}
          amount={entry.amount}
          error={errorOf("unitCents")}
          onChange={(amount) => onEntry({ ...entry, amount })}
          onBlur={() => leave("unitCents", entry.amount)}
        />
      )}
      {category.asksNames && (
        <NameFields
          count={nameCount(entry)}
          names={entry.names}
          error={errorOf("onBehalfOf")}
          errorAt={nameToCorrect(entry)}
          onChange={(names) => onEntry({ ...entry, names })}
          onBlur={() => leave("onBehalfOf", entry.names.join(""))}
        />
      )}
    </>
  );
}

type GiftFieldsProps = Pick<LineFormProps, "entry" | "onEntry"> & {
  readonly category: OfferedCategory;
  readonly subcategory: CartCategory["subcategories"][number] | undefined;
  readonly shown: ReturnType<typeof useShownFaults>;
};

function CategoryField({ categories, category, value, error, onChoose }: CategoryFieldProps) {
  const described = { id: fieldIds.category, error };
  const terms = category === undefined ? "" : describeTerms(category);
  return (
    <Field label="Donation category" {...described}>
      <select
        className="select w-md"
        value={value ?? ""}
        onChange={({ target }) => onChoose(categories.find(({ id }) => String(id) === target.value))}
        {...describedBy(described)}
      >
        <option value="">Choose a category</option>
        {categories.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      <div role="status">
        {category !== undefined && category.description !== "" && <p className="hint">{category.description}</p>}
        {terms !== "" && <p className="small">{terms}</p>}
      </div>
    </Field>
  );
}

/** What the donor cannot choose. Where there are kinds, the price stands beside each. */
function describeTerms(category: OfferedCategory): string {
  const fixed = category.hasSubcategories ? null : fixedUnitCents(category, undefined);
  const price = fixed === null ? "" : formatDollars(fixed);
  return [
    ...(category.isDeductible ? [] : [`${category.title} is not a tax-deductible gift.`]),
    ...(price === "" ? [] : [category.quantityIsEditable ? `Each is ${price}.` : exactly(category.title, price)]),
  ].join(" ");
}

const exactly = (title: string, price: string) =>
  `A gift to ${title} is exactly ${price}. To give another amount, choose another category.`;

type CategoryFieldProps = {
  readonly categories: readonly OfferedCategory[];
  readonly category: OfferedCategory | undefined;
  readonly value: LineEntry["categoryId"];
  readonly error: string | undefined;
  readonly onChoose: (category: OfferedCategory | undefined) => void;
};

function SubcategoryField({ category, entry, error, onChoose }: SubcategoryFieldProps) {
  const described = { id: fieldIds.subcategory, error };
  const priceOf = (sub: CartCategory["subcategories"][number]) => {
    const fixed = fixedUnitCents(category, sub);
    return fixed === null ? "" : `, ${formatDollars(fixed)} each`;
  };
  return (
    <Field label={`Kind of ${category.title}`} {...described}>
      <select
        className="select w-md"
        value={entry.subcategoryId ?? ""}
        onChange={({ target }) => onChoose(target.value === "" ? undefined : Number(target.value))}
        {...describedBy(described)}
      >
        <option value="">Choose a kind</option>
        {category.subcategories.map((sub) => (
          <option key={sub.id} value={sub.id}>
            {sub.title}
            {priceOf(sub)}
          </option>
        ))}
      </select>
    </Field>
  );
}

type SubcategoryFieldProps = {
  readonly category: CartCategory;
  readonly entry: LineEntry;
  readonly error: string | undefined;
  readonly onChoose: (id: number | undefined) => void;
};

/** The line's price and the button; `why` says why it cannot be added yet. */
function AddRow({ line, why }: { line: CartLine; why: string | undefined }) {
  const cents = lineCents(line);
  const isPriced = Number.isSafeInteger(cents) && cents > 0;
  return (
    <div className="add-row">
      <p role="status">
        {isPriced && line.quantity > 1 && (
          <span className="muted num">{`${line.quantity} × ${formatDollars(line.unitCents)}`}</span>
        )}
        {isPriced && <b className="num big">{formatDollars(cents)}</b>}
        {why !== undefined && (
          <span className="why hint" id="add-why">
            {why}
          </span>
        )}
      </p>
      <button
        className="btn btn-quiet"
        type="submit"
        aria-disabled={why !== undefined}
        aria-describedby={why === undefined ? undefined : "add-why"}
      >
        <Icon name="plus" />
        Add Donation
      </button>
    </div>
  );
}
