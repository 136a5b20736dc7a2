import type { ComponentProps, ReactNode } from "react";
import { FieldError } from "#shared/ui/form-field.tsx";

type ChoiceFieldProps = Omit<ComponentProps<"input">, "type" | "value"> & {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: string;
  readonly error: string | undefined;
  readonly choices: readonly string[];
  /** The initial choice: a string for radio buttons, a list for checkboxes. */
  readonly chosen: string | readonly string[];
};

/** Radio buttons or checkboxes. Takes what `register` returns. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { id, label, hint, error, choices, chosen, "aria-required": _, ...input } = props;
  const takesSeveral = Array.isArray(chosen);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset
      className={error === undefined ? "field" : "field has-error"}
      aria-describedby={described === "" ? undefined : described}
    >
      <legend className="legend">{label}</legend>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
      <div className="choices">
        {choices.map((choice, index) => (
          <label className="check choice" key={choice}>
            <input
              {...input}
              type={takesSeveral ? "checkbox" : "radio"}
              id={index === 0 ? id : `${id}-${index + 1}`}
              value={choice}
              defaultChecked={takesSeveral ? chosen.includes(choice) : chosen === choice}
            />
            <span>{choice}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
