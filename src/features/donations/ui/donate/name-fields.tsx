import { plural } from "#shared/language.ts";
import { FieldError } from "#shared/ui/form-field.tsx";

/** One on-behalf-of name per unit; at least one is required (DON-7). */
export function NameFields({ count, names, error, errorAt, onChange, onBlur }: NameFieldsProps) {
  const set = (index: number, name: string) => {
    const next = Array.from({ length: Math.max(count, names.length) }, (_, at) => names[at] ?? "");
    onChange(next.with(index, name));
  };
  return (
    <fieldset className={error === undefined ? "field" : "field has-error"}>
      <legend className="legend">On behalf of</legend>
      <p className="hint" id="names-hint">
        Enter at least one name. The others are optional.
      </p>
      <FieldError id={`name-${errorAt + 1}`} error={error} />
      <div className="name-fields">
        {Array.from({ length: count }, (_, index) => {
          const id = `name-${index + 1}`;
          const isWrong = index === errorAt && error !== undefined;
          return (
            <div className="field" key={id}>
              <label htmlFor={id} className="small">
                Name {index + 1}
              </label>
              <input
                className="input"
                id={id}
                dir="auto"
                autoComplete="off"
                aria-describedby={isWrong ? `names-hint ${id}-error` : "names-hint"}
                aria-invalid={isWrong ? true : undefined}
                value={names[index] ?? ""}
                onChange={(event) => set(index, event.target.value)}
                onBlur={onBlur}
              />
            </div>
          );
        })}
      </div>
      <p className="sr" role="status">
        {plural(count, { one: "1 name field", other: `${count} name fields` })}
      </p>
    </fieldset>
  );
}

type NameFieldsProps = {
  readonly count: number;
  readonly names: readonly string[];
  readonly error: string | undefined;
  /** The index of the field that the error is about. */
  readonly errorAt: number;
  readonly onChange: (names: readonly string[]) => void;
  readonly onBlur: () => void;
};
