import { formatDollars } from "#shared/language.ts";
import { MoneyField } from "#shared/ui/form-money.tsx";
import { parseDollars } from "./line-entry.ts";

const suggestedCents = [2500, 5000, 10_000, 25_000];

/** Suggested amounts, none preselected, above a free field that always shows the amount that counts. */
export function AmountFields({ id, hasSuggestions, amount, error, onChange, onBlur }: AmountFieldsProps) {
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
        label={hasSuggestions ? "Your amount" : "Amount of each (AUD)"}
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
  readonly hasSuggestions: boolean;
  readonly amount: string;
  readonly error: string | undefined;
  readonly onChange: (amount: string) => void;
  readonly onBlur: () => void;
};
