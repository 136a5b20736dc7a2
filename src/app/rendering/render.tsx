import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { menusWith } from "#features/content/menu-links.ts";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import { direction, language } from "#shared/language.ts";
import type { EndedLink } from "#shared/links/document-links.ts";
import { isOwnOrganisation } from "#shared/live-checks.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Banner, Menus } from "#shared/pages/frame.ts";
import type { Page, PageContext, PageHead } from "#shared/pages/page.ts";
import type { Draft } from "#shared/pages/preview.ts";
import { paths, sharingPicturePath } from "#shared/paths.ts";
import textFont from "#shared/ui/identity/fonts/figtree-english-wght-normal.woff2?no-inline";
import displayFont from "#shared/ui/identity/fonts/young-serif-english-400-normal.woff2?no-inline";
import type { Crumb } from "#shared/ui/page-navigation.tsx";
import { ClosedPage } from "../closed-page.tsx";
import { structuredData } from "../discovery/structured-data.ts";
import { EndedLinkPage, endedTitle } from "../ended-link-page.tsx";
import { pages } from "../pages.ts";
import { FailurePage, NotFoundPage, RefusalPage } from "../problem-pages.tsx";
import { BannerLine } from "../shell/banner.tsx";
import { DraftLine } from "../shell/draft-line.tsx";
import { trailOf } from "../shell/menu.ts";
import { draw, frameOf } from "./page-frame.tsx";

/** Addresses of the built files that a page with certain islands links. */
export type LinkedFiles = {
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
  readonly preloads: readonly string[];
  /** Scripts loaded when needed, by their name in `data-enhance`, `data-session` or `firstScript`. */
  readonly enhancements: Readonly<Record<string, string>>;
  /** The hash of each script by its address. */
  readonly integrity: Readonly<Record<string, string>>;
  /** For a page that takes payments: the hashes of all scripts that it may load later. */
  readonly importMap: string;
};

export type SiteFrame = {
  readonly organisation: Organisation;
  readonly brand: BrandFrame;
  readonly banner: Banner | null;
  /** As staff have changed them. */
  readonly menus: Menus;
  /** Only of a preview. */
  readonly draft?: Draft;
  /** The site's address without a trailing slash. */
  readonly publicUrl: string;
  readonly year: number;
  readonly findFiles: (islands: readonly string[]) => LinkedFiles;
};

type Document = {
  readonly context: PageContext;
  readonly head: PageHead;
  readonly trail: readonly Crumb[];
  readonly body: ReactElement;
  readonly bodyClass?: string | undefined;
  readonly hasHeader?: boolean | undefined;
  readonly isIndexed?: boolean | undefined;
  readonly firstScript?: Page["firstScript"] | undefined;
  readonly takesPayments?: Page["takesPayments"] | undefined;
  /** Leaves out the canonical address. */
  readonly isProblem?: boolean;
};

/** All pages, for the server that registers them. */
export function listPages(): readonly Page[] {
  return pages;
}

/** Renders a page as an HTML document; `path` is its address with all parameters filled in. */
export function renderPage(page: Page, path: string, data: unknown, site: SiteFrame): string {
  const { head: headOf, body, bodyClass, hasHeader, isIndexed, firstScript, takesPayments } = page;
  const context = contextOf(path, site);
  const head = headOf(data, context);
  const menus = menusWith(site.menus, site.organisation);
  const trail = head.trail ?? trailOf({ path, title: head.title }, menus, site.organisation);
  const drawn = body(data, { ...context, trail, brand: site.brand, menus });
  return renderDocument(
    { context, head, trail, body: drawn, bodyClass, hasHeader, isIndexed, firstScript, takesPayments },
    site,
  );
}

/** The 404 page (NAV-8). */
export function renderNotFound(site: SiteFrame): string {
  const { services } = menusWith(site.menus, site.organisation);
  return renderProblem("Page not found", <NotFoundPage organisation={site.organisation} services={services} />, site);
}

/** The page for a refused request; `text` says why and what to do. */
export function renderRefusal(text: string, site: SiteFrame): string {
  return renderProblem("That did not work", <RefusalPage text={text} />, site);
}

/** The error page, with the incident number that the log has too. */
export function renderFailure(incident: string, site: SiteFrame): string {
  const body = <FailurePage organisation={site.organisation} incident={incident} />;
  return renderProblem("Something went wrong", body, site);
}

/** The page of a link that no longer works (DON-31). */
export function renderEndedLink({ link, canRenew }: { link: EndedLink; canRenew: boolean }, site: SiteFrame): string {
  const body = <EndedLinkPage link={link} canRenew={canRenew} organisation={site.organisation} />;
  return renderProblem(endedTitle(link), body, site, "is-form");
}

/** What visitors see until the site is opened: nothing of an organisation whose details are not its own yet. */
export function renderClosed({ organisation, brand, findFiles }: SiteFrame): string {
  const own = isOwnOrganisation(organisation) ? organisation : null;
  const document = renderToStaticMarkup(
    <html lang={language} dir={direction}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>{own === null ? "Being set up" : `Being set up | ${own.name}`}</title>
        <meta name="robots" content="noindex" />
        {findFiles([]).stylesheets.map((file) => (
          <link key={file} rel="stylesheet" href={file} />
        ))}
        {brand.stylesheet !== null && <link rel="stylesheet" href={brand.stylesheet} />}
        <meta name="color-scheme" content="light dark" />
      </head>
      <body className="is-closed">
        <ClosedPage organisation={own} />
      </body>
    </html>,
  );
  return `<!doctype html>${document}`;
}

function renderProblem(title: string, body: ReactElement, site: SiteFrame, bodyClass?: "is-form"): string {
  const head = { title, description: title };
  return renderDocument(
    { context: contextOf("", site), head, trail: [], body, bodyClass, isIndexed: false, isProblem: true },
    site,
  );
}

function contextOf(path: string, { organisation, publicUrl }: SiteFrame): PageContext {
  return { organisation, publicUrl, path };
}

function renderDocument(document: Document, site: SiteFrame): string {
  const { context, body, bodyClass, hasHeader = true, takesPayments } = document;
  // Nothing leads payers away, and their pages run as few scripts as possible.
  const banner = hasHeader && !takesPayments ? site.banner : null;
  const { skipLink, header, footer } = frameOf(site, context.path);
  const content = draw(
    <main id="main" tabIndex={-1}>
      <div className="arrival" role="status" />
      {body}
    </main>,
  );
  const line = banner === null ? "" : draw(<BannerLine text={banner.text} link={banner.link} />);
  const draft = site.draft === undefined ? "" : draw(<DraftLine {...site.draft} />);
  const markup = `${draft}${skipLink}${line}${hasHeader ? header : ""}${content}${footer}`;
  const islands = [...new Set([...markup.matchAll(/ data-island="(\w+)"/g)].map(([, name]) => name ?? ""))];
  const files = site.findFiles(islands);
  const around = { document, files, banner, brand: site.brand, isDraft: site.draft !== undefined };
  const head = renderToStaticMarkup(<Head {...around} />);
  const linked = markup.replace(
    / (data-enhance|data-session)="([\w-]+)"/g,
    (_, attribute, name) => ` ${attribute}="${files.enhancements[name]}"`,
  );
  const bodyTag = bodyClass === undefined ? "<body>" : `<body class="${bodyClass}">`;
  // Before any module is loaded: older browsers ignore a later import map.
  const importMap = takesPayments ? `<script type="importmap">${files.importMap}</script>` : "";
  return `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"/>${importMap}${head}</head>${bodyTag}${linked}</body></html>`;
}

type HeadProps = {
  document: Document;
  files: LinkedFiles;
  banner: Banner | null;
  brand: BrandFrame;
  isDraft: boolean;
};

function Head({ document, files, banner, brand, isDraft }: HeadProps) {
  const { context, head, trail, firstScript, isProblem = false } = document;
  const isIndexed = document.isIndexed !== false && head.isIndexed !== false;
  const { organisation, publicUrl, path } = context;
  const named = path === paths.home ? head.title : `${head.title} | ${organisation.name}`;
  const title = isDraft ? `Draft: ${named}` : named;
  return (
    <>
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={head.description} />
      {isProblem ? null : <link rel="canonical" href={publicUrl + (head.address ?? path)} />}
      {!isIndexed && <meta name="robots" content="noindex" />}
      {firstScript !== undefined && <FirstScript name={firstScript} files={files} />}
      {banner !== null && <FirstScript name="banner" files={files} data-banner={banner.key} />}
      {fontsOf(brand).map((font) => (
        <link key={font} rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" />
      ))}
      {files.stylesheets.map((file) => (
        <link key={file} rel="stylesheet" href={file} />
      ))}
      {brand.stylesheet !== null && <link rel="stylesheet" href={brand.stylesheet} />}
      {files.scripts.map((file) => (
        <script key={file} type="module" src={file} integrity={files.integrity[file]} fetchPriority="low" />
      ))}
      {files.preloads.map((file) => (
        <link key={file} rel="modulepreload" href={file} integrity={files.integrity[file]} fetchPriority="low" />
      ))}
      <meta name="theme-color" content={brand.themeColour} />
      <meta name="color-scheme" content="light dark" />
      <Icons icons={brand.icons} />
      <link rel="manifest" href="/manifest.webmanifest" />
      {!isProblem && <SharingMarks head={head} title={title} context={context} />}
      {!isProblem && <StructuredData items={structuredData({ head, trail, context })} />}
    </>
  );
}

/** The fonts of the first screen. */
function fontsOf({ fonts, usesTextFont }: BrandFrame): readonly string[] {
  return fonts === null ? [textFont, displayFont] : [...(usesTextFont ? [textFont] : []), ...fonts];
}

function Icons({ icons }: Pick<BrandFrame, "icons">) {
  return (
    <>
      {icons === null && <link rel="icon" type="image/svg+xml" href="/identity/brand/favicon.svg" />}
      <link rel="icon" sizes="32x32" href={icons?.favicon ?? "/favicon.ico"} />
      <link rel="apple-touch-icon" href={icons?.touch ?? "/icons/apple-touch-icon.png"} />
    </>
  );
}

/** A script that runs before the first paint. */
function FirstScript({ name, files, ...data }: { name: string; files: LinkedFiles; "data-banner"?: string }) {
  const src = files.enhancements[name];
  return <script src={src} integrity={files.integrity[src ?? ""]} {...data} />;
}

/** The metadata that messengers and social networks show for a link (NAV-9). */
function SharingMarks({ head, title, context }: { head: PageHead; title: string; context: PageContext }) {
  const { organisation, publicUrl, path } = context;
  const marks = [
    ["og:type", head.isArticle ? "article" : "website"],
    ["og:site_name", organisation.name],
    ["og:title", path === paths.home ? title : head.title],
    ["og:description", head.description],
    ["og:url", publicUrl + (head.address ?? path)],
    ["og:locale", language.replace("-", "_")],
    ["og:image", publicUrl + sharingPicturePath(head.sharedAs ?? path)],
    ["og:image:type", "image/png"],
    ["og:image:width", "1200"],
    ["og:image:height", "630"],
    ["og:image:alt", head.title],
  ] as const;
  return (
    <>
      {marks.map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

/** Data that browsers don't run, so the page's policy allows it. */
function StructuredData({ items }: { items: readonly object[] }) {
  const text = JSON.stringify({ "@context": "https://schema.org", "@graph": items }).replaceAll("<", "\\u003c");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which no tag can begin.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}
