import type { ReactNode } from "react";
import type { AllMenus } from "#features/content/menu-links.ts";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Banner } from "#shared/pages/frame.ts";
import { BannerLine } from "./banner.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { MenuPanel } from "./menu-panel.tsx";

type PageFrameProps = {
  organisation: Organisation;
  brand: BrandFrame;
  banner: Banner | null;
  menus: AllMenus;
  path: string;
  year: number;
  hasHeader: boolean;
  children: ReactNode;
};

/** The frame around every page (LAY-1), in reading order. */
export function PageFrame({ organisation, brand, banner, menus, path, year, hasHeader, children }: PageFrameProps) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to main content
      </a>
      {banner !== null && <BannerLine text={banner.text} link={banner.link} />}
      {hasHeader && (
        <>
          <Header organisation={organisation} brand={brand} menus={menus} path={path} />
          <MenuPanel organisation={organisation} menus={menus} path={path} />
        </>
      )}
      <main id="main" tabIndex={-1}>
        <div className="arrival" role="status" />
        {children}
      </main>
      <Footer organisation={organisation} brand={brand} menus={menus} year={year} />
      <section className="toasts" aria-label="Notifications">
        <div role="status" />
        <div role="alert" />
      </section>
    </>
  );
}
