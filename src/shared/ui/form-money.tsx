import type { ReactNode } from "react";
import { describedBy, Field } from "./form-field.tsx";

/** An amount in dollars as typed; the dollar sign is not part of the value. */
export function MoneyField({ id, label, hint, error, value, onChange, onBlur }: MoneyFieldProps) {
  const described = { id, hint, error };
  return (
    <Field label={label} {...described}>
      <div className="affix w-sm">
        <span aria-hidden="true">$</span>
        <input
          className="input num"
          inputMode="decimal"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          {...describedBy(described)}
        />
      </div>
    </Field>
  );
}

type MoneyFieldProps = {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onBlur?: () => void;
};
