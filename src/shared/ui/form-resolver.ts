import type { FieldValues, Resolver } from "react-hook-form";
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
