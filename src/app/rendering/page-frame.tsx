import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { type AllMenus, menusWith } from "#features/content/menu-links.ts";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Menus } from "#shared/pages/frame.ts";
import { withoutImagePreloads } from "#shared/pages/island.tsx";
import { Footer } from "../shell/footer.tsx";
import { Header } from "../shell/header.tsx";
import { mainMenu } from "../shell/menu.ts";
import { MenuPanel } from "../shell/menu-panel.tsx";

type FramedSite = {
  readonly organisation: Organisation;
  readonly brand: BrandFrame;
  readonly menus: Menus;
  readonly year: number;
};

/** The HTML around a page's content (LAY-1). A banner comes between the first two. */
type PageFrame = { readonly skipLink: string; readonly header: string; readonly footer: string };

type KeptFrames = { readonly site: FramedSite; readonly menus: AllMenus; readonly byEntry: Map<string, PageFrame> };

let kept: KeptFrames | undefined;

/**
 * Frames differ only in which entry of the main menu is the current page. Each is kept until something of the site
 * changes, because drawing it takes a quarter of the time that a page takes.
 */
export function frameOf({ organisation, brand, menus, year }: FramedSite, path: string): PageFrame {
  const site = { organisation, brand, menus, year };
  if (kept === undefined || !isSame(kept.site, site))
    kept = { site, menus: menusWith(menus, organisation), byEntry: new Map() };
  const current = entriesOf(kept.menus).includes(path) ? path : "";
  const frame = kept.byEntry.get(current) ?? drawFrame(site, kept.menus, current);
  kept.byEntry.set(current, frame);
  return frame;
}

const isSame = (one: FramedSite, other: FramedSite) =>
  one.organisation === other.organisation &&
  one.brand === other.brand &&
  one.menus === other.menus &&
  one.year === other.year;

const entriesOf = (menus: AllMenus) =>
  mainMenu(menus).flatMap((entry) => ("links" in entry ? entry.links.map(({ path }) => path) : [entry.path]));

function drawFrame({ organisation, brand, year }: FramedSite, menus: AllMenus, path: string): PageFrame {
  return {
    skipLink: draw(
      <a className="skip" href="#main">
        Skip to main content
      </a>,
    ),
    header: draw(
      <>
        <Header organisation={organisation} brand={brand} menus={menus} path={path} />
        <MenuPanel organisation={organisation} menus={menus} path={path} />
      </>,
    ),
    footer: draw(
      <>
        <Footer organisation={organisation} brand={brand} menus={menus} year={year} />
        <section className="toasts" aria-label="Notifications">
          <div role="status" />
          <div role="alert" />
        </section>
      </>,
    ),
  };
}

/** Static HTML: islands in it are already rendered, so no React markers are needed. */
export const draw = (element: ReactElement) => withoutImagePreloads(renderToStaticMarkup(element));
