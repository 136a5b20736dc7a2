import type { FilledForm } from "#admin/screen.ts";
import type { Organisation } from "#shared/organisation.ts";
import { listValues, type OrganisationGroup, textOf } from "../../organisation-fields.ts";

export type TheirChange = { readonly name: string; readonly label: string; readonly text: string };

/** What somebody has saved since the form was opened, as it is now. */
export function listTheirs(group: OrganisationGroup, base: Organisation, current: Organisation): TheirChange[] {
  return listValues(group)
    .filter(({ name }) => textOf(base, name) !== textOf(current, name))
    .map(({ name, label }) => ({ name, label, text: textOf(current, name) }));
}

/** The form with their values where nothing else was typed. */
export function withTheirs(
  group: OrganisationGroup,
  values: FilledForm["values"],
  { base, current }: { readonly base: Organisation; readonly current: Organisation },
): FilledForm["values"] {
  const changed = group.fields.flatMap(({ name }) => {
    const isLeftAlone = (values[name]?.[0] ?? "") === textOf(base, name);
    return isLeftAlone ? [[name, [textOf(current, name)]] as const] : [];
  });
  return { ...values, ...Object.fromEntries(changed) };
}
