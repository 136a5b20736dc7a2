import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./icon.tsx";

type Described = { readonly id: string; readonly hint?: ReactNode; readonly error?: string | undefined };

/** The attributes that link a control to its hint and error. */
export function describedBy({ id, hint, error }: Described) {
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
  return {
    id,
    "aria-invalid": error === undefined ? undefined : (true as const),
    "aria-describedby": ids.length === 0 ? undefined : ids.join(" "),
  };
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p className="err" id={`${id}-error`}>
      <Icon name="alert" />
      <span>
        <span className="sr">Error: </span>
        <span>{error}</span>
      </span>
    </p>
  );
}

/** Label, hint and error above a control, which takes `describedBy` with the same values. */
export function Field({ label, children, ...described }: Described & { label: ReactNode; children: ReactNode }) {
  const { id, hint, error } = described;
  return (
    <div className={error === undefined ? "field" : "field has-error"}>
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
      {children}
    </div>
  );
}

type TextFieldProps = Described & { readonly label: ReactNode } & ComponentProps<"input">;

/** A labelled text field in the direction of what is typed. */
export function TextField({ id, label, hint, error, className, ...input }: TextFieldProps) {
  const described = { id, hint, error };
  return (
    <Field label={label} {...described}>
      <input
        className={className === undefined ? "input" : `input ${className}`}
        dir="auto"
        {...input}
        {...describedBy(described)}
      />
    </Field>
  );
}
