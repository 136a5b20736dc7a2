import type { KeyboardEvent, ReactNode } from "react";
import { describedBy, Field } from "./form-field.tsx";

/**
 * A whole number with − and + beside it. A text field, because number fields change by the wheel and drop what they
 * cannot read; the value is what was typed, and whoever uses this says what is wrong with it.
 */
export function NumberStepper(props: NumberStepperProps) {
  const { id, label, unit, hint, error, value, minimum, maximum, onChange, onBlur } = props;
  const described = { id, hint, error };
  const number = /^\d+$/.test(value.trim()) ? Number(value) : undefined;
  const set = (next: number) => onChange(String(Math.min(maximum, Math.max(minimum, next))));
  const step = (by: number) => set((number ?? minimum) + by);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    step(event.key === "ArrowUp" ? 1 : -1);
  };
  return (
    <Field label={label} {...described}>
      <div className="stepper-num">
        <button
          type="button"
          aria-label={`Remove one ${unit}`}
          disabled={number !== undefined && number <= minimum}
          onClick={() => step(-1)}
        >
          −
        </button>
        <input
          className="input"
          inputMode="numeric"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          onKeyDown={onKeyDown}
          {...describedBy(described)}
        />
        <button
          type="button"
          aria-label={`Add one ${unit}`}
          disabled={number !== undefined && number >= maximum}
          onClick={() => step(1)}
        >
          +
        </button>
      </div>
    </Field>
  );
}

type NumberStepperProps = {
  readonly id: string;
  readonly label: ReactNode;
  /** What one more adds, as in 'Add one Goat'. */
  readonly unit: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly value: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly onChange: (text: string) => void;
  readonly onBlur?: () => void;
};
