import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from "react";
import { createContext, useContext } from "react";
import type { FilledForm, ScreenRequest } from "../screen.ts";
import { Icon } from "./icon.tsx";
import { Note } from "./note.tsx";

/** What was typed into the form around a field, and the errors. */
const Sent = createContext<{ readonly id: string; readonly form: FilledForm | null }>({ id: "", form: null });

/**
 * A form that is posted to `action`. If it was refused, or kept while the person logged in, it shows what was typed and
 * why. `id` distinguishes the forms of one screen. `hasFiles`: its files are sent along. A script does not send it while
 * the site does not answer, and shows `<NoConnection>` instead; it also asks before what was typed is left unsaved.
 */
export function ActionForm({
  action,
  id,
  request,
  className,
  hasFiles = false,
  children,
}: {
  action: string;
  id: string;
  request: Pick<ScreenRequest, "form">;
  className?: string;
  hasFiles?: boolean;
  children: ReactNode;
}) {
  const form = request.form?.action === action ? request.form : null;
  // A refusal that is not about a field may come after saving.
  const isUnsaved =
    form?.state === "checking" || form?.state === "resumed" || Object.keys(form?.errors ?? {}).length > 0;
  return (
    <form
      method="post"
      action={action}
      id={id}
      className={className}
      encType={hasFiles ? "multipart/form-data" : undefined}
      data-enhance="check-connection"
      data-unsaved={isUnsaved ? "" : undefined}
      noValidate
    >
      <Sent value={{ id, form }}>
        {form?.message && <FormMessage id={id} form={form} />}
        {children}
      </Sent>
    </form>
  );
}

/** What a script puts above the button of an `ActionForm` that was pressed without a connection; once on each screen. */
export function NoConnection() {
  return (
    <template id="no-connection">
      <div className="field">
        <Note look="bad" title="No connection: what you typed is still here" isNews>
          Nothing was sent. Leave this page open, and try again once you are online.
        </Note>
      </div>
    </template>
  );
}

/** How a form's message looks, by the form's state. */
export const messageLooks = { done: "ok", refused: "bad", resumed: "info", checking: "info" } as const;

/** A link that an act made, to be copied from here. */
export function MadeLink({ link }: { link: string }) {
  return (
    <p>
      <code>{link}</code>
    </p>
  );
}

const takesFocus = { tabIndex: -1, autoFocus: true } as const;

/** Takes the focus, because the form may be far below the top of its screen. It links to each wrong field. */
function FormMessage({ id, form: { state, message, errors, link } }: { id: string; form: FilledForm }) {
  const wrong = Object.entries(errors).flatMap(([name, [error]]) => (error === undefined ? [] : [{ name, error }]));
  const messageId = `${id}-form-message`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it holds a message, not fields.
    <div className="field" role="group" aria-labelledby={messageId} {...takesFocus}>
      <Note look={messageLooks[state]} isNews>
        <span id={messageId}>{wrong.length === 1 ? <a href={`#${id}-${wrong[0]!.name}`}>{message}</a> : message}</span>
        {link !== undefined && <MadeLink link={link} />}
        {wrong.length > 1 && (
          <ul>
            {wrong.map(({ name, error }) => (
              <li key={name}>
                <a href={`#${id}-${name}`}>{error}</a>
              </li>
            ))}
          </ul>
        )}
      </Note>
    </div>
  );
}

/** A field's id, its typed value and its first error, from the form around it. */
function useField(name: string, initial: string | undefined) {
  const { id, form } = useContext(Sent);
  return {
    fieldId: `${id}-${name}`,
    value: form?.values[name]?.[0] ?? initial ?? "",
    values: form?.values[name],
    error: form?.errors[name]?.[0],
    isFilled: form !== null,
  };
}

type Labelled = {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isOptional?: boolean;
};

function FieldFrame({
  fieldId,
  label,
  hint,
  isOptional = false,
  error,
  children,
}: Omit<Labelled, "name"> & { fieldId: string; error: string | undefined; children: ReactNode }) {
  return (
    <div className={error === undefined ? "field" : "field has-err"}>
      <label htmlFor={fieldId}>
        {label}
        {isOptional && <span className="opt"> (optional)</span>}
      </label>
      {hint && (
        <span className="hint" id={`${fieldId}-hint`}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span className="err" id={`${fieldId}-error`}>
          <Icon name="alert" />
          {error}
        </span>
      )}
      {children}
    </div>
  );
}

const describedBy = (fieldId: string, hint: ReactNode, error: string | undefined) =>
  [hint && `${fieldId}-hint`, error !== undefined && `${fieldId}-error`].filter(Boolean).join(" ") || undefined;

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "id" | "className">;

/** One line of text. `prefix` stands before it: '$'. `below` shows what the text means. */
export function TextField({
  name,
  label,
  hint,
  isOptional,
  prefix,
  below,
  defaultValue,
  ...rest
}: Labelled & { prefix?: string; below?: (value: string) => ReactNode } & InputProps) {
  const { fieldId, value, error } = useField(name, defaultValue === undefined ? undefined : String(defaultValue));
  const input = (
    <input
      {...rest}
      className={prefix === undefined ? "input" : "input num"}
      id={fieldId}
      name={name}
      defaultValue={rest.type === "password" ? undefined : value}
      dir="auto"
      aria-invalid={error === undefined ? undefined : true}
      aria-describedby={describedBy(fieldId, hint, error)}
    />
  );
  return (
    <FieldFrame fieldId={fieldId} label={label} hint={hint} error={error} isOptional={isOptional ?? false}>
      {prefix === undefined ? (
        input
      ) : (
        <div className="affix">
          <span aria-hidden="true">{prefix}</span>
          {input}
        </div>
      )}
      {below?.(value)}
    </FieldFrame>
  );
}

/** One file. Browsers do not send it twice, so it is chosen again after an error. */
export function FileField({ name, label, hint, accept }: Labelled & { accept: string }) {
  const { fieldId, error } = useField(name, undefined);
  return (
    <FieldFrame fieldId={fieldId} label={label} hint={hint} error={error}>
      <input
        type="file"
        id={fieldId}
        name={name}
        accept={accept}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={describedBy(fieldId, hint, error)}
      />
    </FieldFrame>
  );
}

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "name" | "id" | "className">;

/** Several lines of text. */
export function TextArea({ name, label, hint, isOptional, defaultValue, ...rest }: Labelled & AreaProps) {
  const { fieldId, value, error } = useField(name, defaultValue === undefined ? undefined : String(defaultValue));
  return (
    <FieldFrame fieldId={fieldId} label={label} hint={hint} error={error} isOptional={isOptional ?? false}>
      <textarea
        {...rest}
        className="textarea"
        id={fieldId}
        name={name}
        defaultValue={value}
        dir="auto"
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={describedBy(fieldId, hint, error)}
      />
    </FieldFrame>
  );
}

export type Option = { readonly value: string; readonly label: string; readonly hint?: string };

/** A choice of one; `options` in the order shown. */
export function SelectField({
  name,
  label,
  hint,
  options,
  defaultValue,
}: Labelled & { options: readonly Option[]; defaultValue?: string }) {
  const { fieldId, value, error } = useField(name, defaultValue);
  return (
    <FieldFrame fieldId={fieldId} label={label} hint={hint} error={error}>
      <select
        className="select"
        id={fieldId}
        name={name}
        defaultValue={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={describedBy(fieldId, hint, error)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** A choice of any number, as tick boxes; with `isSingle` of exactly one, as radio buttons. */
export function ChoiceField({
  name,
  label,
  options,
  chosen = [],
  isSingle = false,
}: Pick<Labelled, "name" | "label"> & { options: readonly Option[]; chosen?: readonly string[]; isSingle?: boolean }) {
  const { fieldId, values, error, isFilled } = useField(name, undefined);
  const ticked = isFilled ? (values ?? []) : chosen;
  return (
    <fieldset
      className={error === undefined ? "field" : "field has-err"}
      aria-describedby={error === undefined ? undefined : `${fieldId}-error`}
    >
      <legend className="legend">{label}</legend>
      {error !== undefined && (
        <span className="err" id={`${fieldId}-error`}>
          <Icon name="alert" />
          {error}
        </span>
      )}
      {options.map((option, at) => (
        <label className="check" key={option.value}>
          <input
            id={at === 0 ? fieldId : undefined}
            className="box"
            type={isSingle ? "radio" : "checkbox"}
            name={name}
            value={option.value}
            defaultChecked={ticked.includes(option.value)}
          />
          <span>
            {option.label}
            {option.hint && <span className="hint">{option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
