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
 * A page's place in the menu, as staff have changed it or else as it is delivered: Home, the menu's group, the page under
 * its own title. Empty for a page outside the menu.
 */
export function trailOf(
  { path, title }: { path: string; title: string },
  menus: AllMenus,
  organisation: Pick<Organisation, "slug">,
): readonly Crumb[] {
  if (path === paths.home) return [];
  const own = { label: title, path };
  for (const entry of [...mainMenu(menus), ...mainMenu(deliveredMenus(organisation))]) {
    if ("links" in entry) {
      if (entry.links.some((one) => one.path === path)) return [home, { label: entry.label }, own];
    } else if (entry.path === path) return [home, own];
  }
  return [];
}
