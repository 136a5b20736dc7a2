import type { KeyboardEvent, ReactNode } from "react";
import { latinDigits } from "#shared/contract/latin-digits.ts";
import { describedBy, Field } from "./form-field.tsx";

/**
 * A whole number with − and + buttons. A text field, because number fields react to the mouse wheel and drop what they
 * cannot read. The value is what was typed; the caller checks it.
 */
export function NumberStepper(props: NumberStepperProps) {
  const { id, label, unit, hint, error, value, minimum, maximum, onChange, onBlur } = props;
  const described = { id, hint, error };
  const digits = latinDigits(value).trim();
  const number = /^\d+$/.test(digits) ? Number(digits) : undefined;
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
  /** The unit in 'Add one Goat'. */
  readonly unit: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly value: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly onChange: (text: string) => void;
  readonly onBlur?: () => void;
};
