import type { SiteFrame } from "#app/rendering/render.tsx";
import { deliveredFrame } from "#shared/brand/delivered-frame.ts";
import { placeholderBadge } from "#shared/images/brand-frame.ts";
import type { Organisation } from "#shared/organisation.ts";

/** What a site draws around its pages, for tests that render them from source. `files` are those of its build. */
export function siteFrame(
  organisation: Organisation,
  files: Partial<ReturnType<SiteFrame["findFiles"]>> = {},
): SiteFrame {
  const none = { stylesheets: [], scripts: [], preloads: [], enhancements: {}, integrity: {}, importMap: "{}" };
  const brand = { ...deliveredFrame, badge: placeholderBadge };
  return {
    organisation,
    brand,
    banner: null,
    menus: {},
    publicUrl: "https://give.example",
    year: 2026,
    findFiles: () => ({ ...none, ...files }),
  };
}
