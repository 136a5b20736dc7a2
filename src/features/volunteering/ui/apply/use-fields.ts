import { useForm } from "react-hook-form";
import { resolverOf, whenLeft } from "#shared/ui/form-resolver.ts";
import { Application } from "../../application.ts";
import { type FieldName, type Typed, untouched } from "../../draft.ts";

/** The server's own rules. */
const resolver = resolverOf<Typed>(Application);

/** Controls that are not the browser's own text, and so are not registered by their element. */
type Chosen = "state" | "emergencyState" | "emergencyCountry";

/** Skills and experience may stay empty, and the rest has no empty choice. */
const optional: readonly FieldName[] = ["skills", "experience"];

/** The fields of all steps in one form: those of other steps keep their values while they are not on the page. */
export function useFields() {
  const form = useForm<Typed>({ resolver, shouldFocusError: false });
  const { errors } = form.formState;
  const sayNow = (name: FieldName) => errors[name]?.message;
  const watched = (name: Exclude<FieldName, "interests">): string => form.watch(name) ?? untouched[name];
  const choose = (name: Chosen, value: string) => {
    form.setValue(name, value);
    whenLeft(form, name).onChange();
  };
  return {
    form,
    sayNow,
    /** Attributes of the control of this name. */
    field: (name: FieldName) => ({
      id: name,
      error: sayNow(name),
      "aria-required": optional.includes(name) ? undefined : (true as const),
      ...form.register(name, whenLeft(form, name)),
    }),
    /** The same for a list to choose from, whose choices come later. */
    chosen: (name: Chosen) => ({
      id: name,
      error: sayNow(name),
      value: watched(name),
      onChange: (value: string) => choose(name, value),
    }),
    choose,
    watched,
    /** As it stands now; what draws it is not drawn again when it changes. */
    value: <Name extends FieldName>(name: Name): Typed[Name] =>
      (form.getValues(name) as Typed[Name]) ?? untouched[name],
    /** Those of `names` that are wrong, which then say so. */
    async findFaults(names: readonly FieldName[]): Promise<readonly FieldName[]> {
      await form.trigger([...names]);
      return names.filter((name) => form.getFieldState(name).invalid);
    },
  };
}
export type Fields = ReturnType<typeof useFields>;
