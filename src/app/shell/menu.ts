import { type MenuLink, organisationLinks, serviceLinks, worldLink } from "#features/content/menu-links.ts";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import type { Crumb } from "#shared/ui/page-navigation.tsx";

export type MenuGroup = { readonly label: string; readonly id: string; readonly links: readonly MenuLink[] };

/** The main menu, in the specification's order (NAV-4). */
export function mainMenu(organisation: Pick<Organisation, "slug">): readonly (MenuLink | MenuGroup)[] {
  return [
    { label: "Home", path: paths.home },
    { label: "Organisation", id: "organisation", links: organisationLinks },
    { label: "Services", id: "services", links: serviceLinks },
    worldLink(organisation),
    { label: "Events", path: paths.events },
    { label: "Gallery", path: paths.gallery },
  ];
}

const home: Crumb = { label: "Home", path: paths.home };

/** A page's place in the menu: Home, the menu's group, the page itself. Empty for a page outside the menu. */
export function trailOf(path: string, organisation: Pick<Organisation, "slug">): readonly Crumb[] {
  if (path === paths.home) return [];
  for (const entry of mainMenu(organisation)) {
    if ("links" in entry) {
      const link = entry.links.find((one) => one.path === path);
      if (link !== undefined) return [home, { label: entry.label }, link];
    } else if (entry.path === path) return [home, entry];
  }
  return [];
}
