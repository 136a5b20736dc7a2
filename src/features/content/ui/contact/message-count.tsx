import { type Control, useWatch } from "react-hook-form";
import { CharactersLeft } from "#shared/ui/form-characters-left.tsx";
import { type ContactFields, longest } from "../../contact.ts";

/** How much room the message has left, once the end is near. */
export function MessageCount({ control }: { control: Control<ContactFields> }) {
  return <CharactersLeft text={useWatch({ control, name: "message" }) ?? ""} most={longest.message} />;
}
