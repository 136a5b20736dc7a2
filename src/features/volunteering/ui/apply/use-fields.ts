import { useForm } from "#shared/ui/use-form.ts";
import { Application } from "../../application.ts";
import { type ApplicationField, type Typed, untouched } from "../../draft.ts";

/** Custom controls, which cannot be registered by their element. */
type Chosen = "state" | "emergencyState" | "emergencyCountry";

const optional: readonly ApplicationField[] = ["skills", "experience"];

/** The fields of all steps in one form, so that fields on other steps keep their values. */
export function useFields() {
  const form = useForm<Typed>(Application);
  const messageOf = (name: ApplicationField) => form.errors[name];
  const watched = (name: Exclude<ApplicationField, "interests">): string => form.watch(name) ?? untouched[name];
  return {
    form,
    messageOf,
    /** The control's attributes. */
    field: (name: ApplicationField) => ({
      id: name,
      error: messageOf(name),
      "aria-required": optional.includes(name) ? undefined : (true as const),
      ...form.register(name),
    }),
    /** The same for a select whose options load later. */
    chosen: (name: Chosen) => ({
      id: name,
      error: messageOf(name),
      value: watched(name),
      onChange: (value: string) => form.change(name, value),
    }),
    choose: (name: Chosen, value: string) => form.change(name, value),
    watched,
    /** The current value, which does not redraw the caller when it changes. */
    value: <Name extends ApplicationField>(name: Name): Typed[Name] => form.values()[name] ?? untouched[name],
    /** Returns those of `names` that are wrong, and shows their errors. */
    findFaults(names: readonly ApplicationField[]): readonly ApplicationField[] {
      form.check(...names);
      return names.filter((name) => form.errors[name] !== undefined);
    },
  };
}
export type ApplicationFields = ReturnType<typeof useFields>;
