import { paths } from "#shared/paths.ts";

/** The legal pages, by their type, in the order in which they are read. */
export const legalPaths: Readonly<Record<string, string>> = {
  privacy: paths.privacy,
  refunds: paths.refunds,
  terms: paths.terms,
  accessibility: paths.accessibility,
};
