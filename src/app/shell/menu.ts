import { type AllMenus, deliveredMenus, isMenuGroup, type MenuLink, menuGroups } from "#features/content/menu-links.ts";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import type { Crumb } from "#shared/ui/page-navigation.tsx";

export type MenuGroup = { readonly label: string; readonly id: string; readonly links: readonly MenuLink[] };

/** The main menu with its groups, but for those that are empty. */
export function mainMenu(menus: AllMenus): readonly (MenuLink | MenuGroup)[] {
  return menus.main.flatMap((entry) => {
    if (!isMenuGroup(entry.path)) return entry;
    const id = menuGroups[entry.path];
    return menus[id].length === 0 ? [] : { label: entry.label, id, links: menus[id] };
  });
}

/** For links to other sites. */
export const relOf = (path: string) => (path.startsWith("/") ? undefined : "external");

const home: Crumb = { label: "Home", path: paths.home };

/**
 * A page's place in the menu as it is delivered, whatever staff show: Home, the menu's group, the page itself. Empty for
 * a page outside the menu.
 */
export function trailOf(path: string, organisation: Pick<Organisation, "slug">): readonly Crumb[] {
  if (path === paths.home) return [];
  for (const entry of mainMenu(deliveredMenus(organisation))) {
    if ("links" in entry) {
      const link = entry.links.find((one) => one.path === path);
      if (link !== undefined) return [home, { label: entry.label }, link];
    } else if (entry.path === path) return [home, entry];
  }
  return [];
}
