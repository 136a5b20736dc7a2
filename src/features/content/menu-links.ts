import type { Organisation } from "#shared/organisation.ts";
import { paths, worldPath } from "#shared/paths.ts";

export type MenuLink = { readonly label: string; readonly path: string };

export const organisationLinks = [
  { label: "Chairman’s Message", path: paths.chairmanMessage },
  { label: "Recognition", path: paths.recognition },
  { label: "Vision & Mission", path: paths.vision },
] as const satisfies readonly MenuLink[];

export const serviceLinks: readonly MenuLink[] = [
  { label: "Ambulance Fund", path: paths.ambulanceFund },
  { label: "Fight Against Hunger", path: paths.fightAgainstHunger },
  { label: "Home and Orphanage", path: paths.homeAndOrphanage },
  { label: "Patient Care", path: paths.patientCare },
  { label: "Rehabilitation Center", path: paths.rehabilitationCenter },
  { label: "Flood Relief", path: paths.floodRelief },
];

export const legalLinks = [
  { label: "Privacy policy", path: paths.privacy },
  { label: "Refund policy", path: paths.refunds },
  { label: "Terms of use", path: paths.terms },
  { label: "Accessibility", path: paths.accessibility },
] as const satisfies readonly MenuLink[];

/** 'Chashma World' at /chashma-world. */
export function worldLink({ slug }: Pick<Organisation, "slug">): MenuLink {
  const word = slug
    .split("-")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(" ");
  return { label: `${word} World`, path: worldPath(slug) };
}
