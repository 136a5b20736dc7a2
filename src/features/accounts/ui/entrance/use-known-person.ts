import { useEffect } from "react";
import type { UseFormReturn } from "react-hook-form";
import { takeKnownPerson } from "#shared/ui/known-person.ts";
import type { RegisterFields } from "../../forms.ts";

/** Fills in what a guest told us while they paid, but not over what is there already. */
export function useKnownPerson({ getValues, setValue }: UseFormReturn<RegisterFields>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page takes over from the server's markup
  useEffect(() => {
    const known = takeKnownPerson();
    for (const name of ["firstName", "lastName", "email", "postcode"] as const) {
      if (known[name] && !getValues(name)) setValue(name, known[name]);
    }
  }, []);
}
