import type { Organisation } from "#shared/organisation.ts";
import { listValues, type OrganisationGroup, organisationGroups, textOf } from "./organisation-fields.ts";

/** Values as the audit trail keeps them, by `auditName`. */
type OrganisationTexts = Readonly<Record<string, string>>;

/** In the audit trail a name means one thing only. */
export const auditName = (name: string) => `organisation.${name}`;

/** The texts of the values of one group that differ. */
export function listOrganisationChanges(
  group: OrganisationGroup,
  earlier: Organisation,
  later: Organisation,
): { readonly before: OrganisationTexts; readonly after: OrganisationTexts } | null {
  const changed = listValues(group).filter(({ name }) => textOf(earlier, name) !== textOf(later, name));
  if (changed.length === 0) return null;
  const textsOf = (organisation: Organisation): OrganisationTexts =>
    Object.fromEntries(changed.map(({ name }) => [auditName(name), textOf(organisation, name)]));
  return { before: textsOf(earlier), after: textsOf(later) };
}

/** What the audit trail has kept, with labels. */
export function describeOrganisationChanges(before: unknown, after: unknown) {
  const textIn = (texts: unknown, name: string) => (texts as OrganisationTexts | null)?.[auditName(name)];
  return organisationGroups.flatMap(listValues).flatMap(({ name, label }) => {
    const text = textIn(after, name);
    return text === undefined ? [] : [{ label, before: textIn(before, name) ?? "", after: text }];
  });
}
