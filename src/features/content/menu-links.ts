import type { Organisation } from "#shared/organisation.ts";
import type { MenuLink, Menus } from "#shared/pages/frame.ts";
import { paths, worldPath } from "#shared/paths.ts";

export type { MenuLink };

const organisationLinks = [
  { label: "Chairman’s Message", path: paths.chairmanMessage },
  { label: "Recognition", path: paths.recognition },
  { label: "Vision & Mission", path: paths.vision },
] as const satisfies readonly MenuLink[];

const serviceLinks: readonly MenuLink[] = [
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

/** The lists that staff can change, by the names of their columns. */
export const menuNames = ["main", "organisation", "services", "foot_organisation", "foot_services"] as const;
export type MenuName = (typeof menuNames)[number];
export type AllMenus = Readonly<Record<MenuName, readonly MenuLink[]>>;

/** The entries of the main menu that open a list of links. */
export const menuGroups = { "#organisation": "organisation", "#services": "services" } as const;
export const isMenuGroup = (path: string): path is keyof typeof menuGroups => Object.hasOwn(menuGroups, path);

/** The menus as the site delivers them; the main one in the specification's order (NAV-4). */
export function deliveredMenus(organisation: Pick<Organisation, "slug">): AllMenus {
  const world = worldLink(organisation);
  const gallery = { label: "Gallery", path: paths.gallery };
  return {
    main: [
      { label: "Home", path: paths.home },
      { label: "Organisation", path: "#organisation" },
      { label: "Services", path: "#services" },
      world,
      { label: "Events", path: paths.events },
      gallery,
    ],
    organisation: organisationLinks,
    services: serviceLinks,
    foot_organisation: [...organisationLinks, world, { label: "News and articles", path: paths.news }, gallery],
    foot_services: serviceLinks,
  };
}

/** The changed menus without what leads to these addresses. */
export function withoutPaths(changed: Menus, gone: readonly string[], organisation: Pick<Organisation, "slug">): Menus {
  if (gone.length === 0) return changed;
  const stays = ({ path }: MenuLink) => !gone.includes(path.replace(/[?#].*$/s, ""));
  const all = Object.entries(menusWith(changed, organisation));
  return Object.fromEntries(all.map(([name, links]) => [name, links.filter(stays)]));
}

type Group = (typeof menuGroups)[keyof typeof menuGroups];
const deliveredLabels: Readonly<Record<Group, string>> = { organisation: "Organisation", services: "Services" };

/** What the main menu calls one of its lists. */
export const groupLabel = (menus: Menus, group: Group): string =>
  menus.main?.find(({ path }) => path === `#${group}`)?.label ?? deliveredLabels[group];

/** The list of the main menu that has this page; if none has it, `usual`, or nothing. */
export function listBeside(menus: Menus, path: string, usual?: Group) {
  const has = (group: Group) => menus[group]?.some((link) => link.path === path);
  const group = Object.values(menuGroups).find(has) ?? usual;
  if (group === undefined) return undefined;
  const links = (menus[group] ?? []).filter((link) => link.path.startsWith("/"));
  return { label: groupLabel(menus, group), links };
}

/** All menus, with those that staff have changed. */
export const menusWith = (changed: Menus, organisation: Pick<Organisation, "slug">): AllMenus => ({
  ...deliveredMenus(organisation),
  ...changed,
});
