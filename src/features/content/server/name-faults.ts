import { placeholderFault } from "#shared/mail/text-faults.ts";
import { namePlaceholders } from "#shared/organisation.ts";
import { type ContentData, toText } from "./editing/kind.ts";

/** Why the braces in these fields cannot be filled in with the organisation's names, by the field's name. */
export function listNameFaults(data: ContentData, fields: readonly string[]): Record<string, string> {
  const faults = fields.flatMap((name) => {
    const fault = placeholderFault(toText(data[name]), namePlaceholders, { where: "page", example: "name" });
    return fault === null ? [] : [[name, fault]];
  });
  return Object.fromEntries(faults);
}
