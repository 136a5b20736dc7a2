import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import type { Crumb } from "#shared/ui/breadcrumbs.tsx";
import { mainMenu } from "./menu.ts";

const home: Crumb = { label: "Home", path: paths.home };

/** Where the menu puts a page: Home, the menu's group, the page itself. Empty for a page that is not in the menu. */
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
