import type { FieldValues, Path, Resolver, UseFormReturn } from "react-hook-form";
import type { z } from "zod";

/**
 * Checks a form with one schema. The resolver that comes with the form library would be a kilobyte for the same.
 */
export function resolverOf<Fields extends FieldValues>(schema: z.ZodType): Resolver<Fields> {
  return (values) => {
    const checked = schema.safeParse(values);
    if (checked.success) return { values: checked.data as Fields, errors: {} };
    const errors = checked.error.issues.map(({ path, code, message }) => [path[0], { type: code, message }]);
    // The first complaint about a field is the one to show.
    return { values: {}, errors: Object.fromEntries(errors.reverse()) };
  };
}

/** The first thing that is wrong with a form, in the words of its field; undefined when nothing is. */
export function firstFault(schema: z.ZodType, values: unknown): string | undefined {
  return schema.safeParse(values).error?.issues[0]?.message;
}

/**
 * For `register`: a field that is left with something wrong in it says so, and stops once it is put right. One that is
 * left empty says so only where `saysEmpty`; else when the button is pressed.
 */
export function whenLeft<Fields extends FieldValues>(form: LeftForm<Fields>, name: Path<Fields>, saysEmpty = false) {
  const { getValues, getFieldState, trigger } = form;
  const check = () => {
    // What it says already may be the server's: that stands until the field is changed.
    if (getFieldState(name).invalid) return;
    if (saysEmpty || String(getValues(name) ?? "").trim() !== "") void trigger(name);
  };
  return {
    onBlur: () => afterPress(check),
    onChange: () => void (getFieldState(name).invalid && trigger(name)),
  };
}
type LeftForm<Fields extends FieldValues> = Pick<UseFormReturn<Fields>, "getValues" | "getFieldState" | "trigger">;

let isPressed = false;
let waiting: (() => void)[] = [];

/** Runs now, or once the pointer that is down is up and has clicked: what moves away below a press makes it miss. */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.push(run);
  else run();
}

function press() {
  isPressed = true;
}

function release() {
  isPressed = false;
  const runs = waiting;
  waiting = [];
  for (const run of runs) setTimeout(run);
}

if (typeof document !== "undefined") {
  document.addEventListener("pointerdown", press, true);
  document.addEventListener("pointerup", release, true);
  document.addEventListener("pointercancel", release, true);
}
