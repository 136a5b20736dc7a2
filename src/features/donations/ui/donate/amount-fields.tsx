import { formatDollars } from "#shared/language.ts";
import { MoneyField } from "#shared/ui/form-money.tsx";
import { parseDollars } from "./line-entry.ts";

/** Suggested amounts, none preselected, above a free field that always shows the amount that counts. */
export function AmountFields({ id, isEach, suggestedCents, amount, error, onChange, onBlur }: AmountFieldsProps) {
  const hasSuggestions = !isEach && suggestedCents.length > 0;
  const cents = parseDollars(amount);
  return (
    <>
      {hasSuggestions && (
        <fieldset className="field">
          <legend className="legend">Amount (AUD)</legend>
          <div className="chips">
            {suggestedCents.map((suggestion) => (
              <label className="chip" key={suggestion}>
                <input
                  type="radio"
                  name="suggested-amount"
                  checked={cents === suggestion}
                  onChange={() => onChange((suggestion / 100).toFixed(2))}
                />
                <span>{formatDollars(suggestion).replace(".00", "")}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <MoneyField
        id={id}
        label={isEach ? "Amount of each (AUD)" : hasSuggestions ? "Your amount" : "Amount (AUD)"}
        hint={hasSuggestions ? "Choose one above or enter another." : undefined}
        error={error}
        value={amount}
        onChange={onChange}
        onBlur={onBlur}
      />
    </>
  );
}

type AmountFieldsProps = {
  readonly id: string;
  /** True if it is the amount of each of several; then there are no suggestions. */
  readonly isEach: boolean;
  readonly suggestedCents: readonly number[];
  readonly amount: string;
  readonly error: string | undefined;
  readonly onChange: (amount: string) => void;
  readonly onBlur: () => void;
};
