import { type BaseSyntheticEvent, useEffect, useReducer, useState } from "react";
import type { z } from "zod";
import { afterPress } from "./after-press.ts";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Name<Fields> = keyof Fields & string;
/** The first error of each field, in its own words. */
export type FormErrors<Fields> = { readonly [Field in Name<Fields>]?: string | undefined };

type Registration = {
  /** Called once the new value is known. */
  readonly onChange?: () => void;
  /** Also checks the field when it is left empty; otherwise only when the form is submitted. */
  readonly flagsEmpty?: boolean;
};

/** The attributes that connect a control to the form. */
export type Registered = {
  readonly name: string;
  readonly ref: (control: Control | null) => (() => void) | undefined;
  readonly onChange: () => void;
  readonly onBlur: () => void;
};

/**
 * A form whose controls keep their own values, so that what was typed before the page's script ran is never
 * overwritten. A field is checked when it is left, and again on each change while it is wrong, or once the form was
 * submitted. `defaults` are for controls that the page does not draw with a value.
 */
export function useForm<Fields extends object>(schema: z.ZodType, defaults: Partial<Fields> = {}): Form<Fields> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [form] = useState(() => createForm<Fields>(defaults, redraw));
  form.schema = schema;
  useEffect(() => form.showWatched(), [form]);
  return form;
}
export type Form<Fields extends object> = ReturnType<typeof createForm<Fields>>;

function createForm<Fields extends object>(defaults: Partial<Fields>, redraw: () => void) {
  const controls = createControls(defaults);
  const { values } = controls;
  const watched = new Set<string>();
  const touched = new Set<string>();
  const listeners = new Set<() => void>();
  let errors: FormErrors<Fields> = {};
  let isSubmitted = false;

  const validate = () => form.schema!.safeParse(values);
  const setErrors = (found: FormErrors<Fields>) => {
    errors = found;
    redraw();
  };
  const tell = (name: string) => {
    for (const listener of listeners) listener();
    if (watched.has(name)) redraw();
  };
  const check = (...names: Name<Fields>[]) => {
    const found = faultsOf<Fields>(validate());
    if (names.some((name) => found[name] !== errors[name]))
      setErrors({ ...errors, ...Object.fromEntries(names.map((name) => [name, found[name]])) });
  };
  const recheck = (name: Name<Fields>) => {
    if (isSubmitted || errors[name] !== undefined) check(name);
  };
  const checkLeft = (name: Name<Fields>, flagsEmpty: boolean) => {
    // Its error may be from the server, and stays until the field is changed.
    if (errors[name] === undefined && (flagsEmpty || String(values[name] ?? "").trim() !== "")) check(name);
  };
  const setValue = <Field extends Name<Fields>>(name: Field, value: Fields[Field]) => {
    controls.write(name, value);
    tell(name);
  };
  const form = {
    schema: undefined as z.ZodType | undefined,
    get errors() {
      return errors;
    },
    touched: touched as ReadonlySet<string>,
    /** What is in the form now. Until a control is drawn, its field may be missing. */
    values: () => ({ ...values }) as Fields,
    /** The same for one field; when it changes, the form is drawn again. */
    watch<Field extends Name<Fields>>(name: Field) {
      watched.add(name);
      return values[name];
    },
    /** The controls may hold what was typed before they were this form's. */
    showWatched() {
      if (watched.size > 0) redraw();
    },
    /** Calls back after each change. Returns a function that stops it. */
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setValue,
    /** Sets a value as if the person had typed it. */
    change<Field extends Name<Fields>>(name: Field, value: Fields[Field]) {
      setValue(name, value);
      recheck(name);
    },
    /** Checks these fields, and shows what is wrong. */
    check,
    /** Adds errors that the server found. */
    addErrors: (found: FormErrors<Fields>) => setErrors({ ...errors, ...found }),
    clearErrors: () => setErrors({}),
    reset(to: Fields) {
      isSubmitted = false;
      touched.clear();
      for (const name of Object.keys(to) as Name<Fields>[]) setValue(name, to[name]);
      setErrors({});
    },
    register(name: Name<Fields>, { onChange, flagsEmpty = false }: Registration = {}): Registered {
      const note = () => {
        controls.read(name);
        tell(name);
      };
      return {
        name,
        ref: controls.refOf(name),
        onChange() {
          note();
          onChange?.();
          recheck(name);
        },
        onBlur() {
          // Some browsers fill in forms without saying so.
          note();
          if (!touched.has(name)) {
            touched.add(name);
            redraw();
          }
          afterPress(() => checkLeft(name, flagsEmpty));
        },
      };
    },
    /** Checks everything, and calls `onValid` with what the schema makes of it, or `onWrong` with the errors. */
    submit(onValid: (fields: Fields) => unknown, onWrong: (errors: FormErrors<Fields>) => unknown) {
      return async (event: BaseSyntheticEvent) => {
        event.preventDefault();
        isSubmitted = true;
        const checked = validate();
        setErrors(faultsOf(checked));
        await (checked.success ? onValid(checked.data as Fields) : onWrong(errors));
      };
    },
  };
  return form;
}

/** The values of a form, and the controls on the page that hold them. */
function createControls<Fields extends object>(defaults: Partial<Fields>) {
  const values: Record<string, unknown> & Partial<Fields> = { ...defaults };
  const drawn: Record<string, Set<Control>> = {};
  /** Fields whose value is what the page had before the script ran. */
  const found = new Set<string>();
  const refs: Record<string, Registered["ref"]> = {};

  const read = (name: string) => {
    if (drawn[name]?.size) Object.assign(values, { [name]: readValue([...drawn[name]]) });
  };
  const attach = (name: string, control: Control) => {
    drawn[name] = (drawn[name] ?? new Set()).add(control);
    if (name in values && !found.has(name)) writeValue(control, values[name]);
    else {
      found.add(name);
      read(name);
    }
    return () => {
      drawn[name]?.delete(control);
      found.delete(name);
    };
  };
  return {
    values,
    read,
    write(name: string, value: unknown) {
      Object.assign(values, { [name]: value });
      found.delete(name);
      for (const control of drawn[name] ?? []) writeValue(control, value);
    },
    /** The same function each time, or React would take the control away and bring it back whenever it draws. */
    refOf(name: string): Registered["ref"] {
      refs[name] ??= (control) => (control === null ? undefined : attach(name, control));
      return refs[name];
    },
  };
}

/** Text, or the list of the ticked checkboxes with one name. */
function readValue(controls: readonly Control[]): string | string[] {
  const ticked = controls.filter((control) => "checked" in control && control.checked).map(({ value }) => value);
  const [first] = controls;
  if (first?.type === "checkbox") return ticked;
  return (first?.type === "radio" ? ticked[0] : first?.value) ?? "";
}

function writeValue(control: Control, value: unknown): void {
  if (control.type === "checkbox" || control.type === "radio")
    (control as HTMLInputElement).checked = [value].flat().includes(control.value);
  else control.value = String(value ?? "");
}

function faultsOf<Fields>({ error }: z.ZodSafeParseResult<unknown>): FormErrors<Fields> {
  const faults = error?.issues.map(({ path, message }) => [path[0], message]) ?? [];
  return Object.fromEntries(faults.reverse());
}

/** The first error in a form, in its field's words. */
export function firstFault(schema: z.ZodType, values: unknown): string | undefined {
  return schema.safeParse(values).error?.issues[0]?.message;
}
