import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Organisation } from "#shared/organisation.ts";
import textFont from "#shared/ui/identity/fonts/figtree-latin-wght-normal.woff2?no-inline";
import displayFont from "#shared/ui/identity/fonts/young-serif-latin-400-normal.woff2?no-inline";
import { withoutImagePreloads } from "./island.tsx";
import { type Page, pages } from "./pages.tsx";
import { ComingPage, FailurePage, NotFoundPage } from "./problem-pages.tsx";
import { mainMenu } from "./shell/menu.ts";
import { PageFrame } from "./shell/page-frame.tsx";

/** Addresses of the built files that a page links, given the islands that stand on it. */
export type LinkedFiles = {
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
  readonly preloads: readonly string[];
  /** Scripts that parts of the page fetch when they come into view, by the name in `data-enhance`. */
  readonly enhancements: Readonly<Record<string, string>>;
};

export type Site = {
  readonly organisation: Organisation;
  /** The site's address without a slash at the end. */
  readonly publicUrl: string;
  readonly year: number;
  readonly findFiles: (islands: readonly string[]) => LinkedFiles;
};

type Document = {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly body: ReactElement;
  readonly bodyClass?: string | undefined;
  readonly hasHeader?: boolean | undefined;
  /** Search engines keep out, and no address is given as the page's own. */
  readonly isProblem?: boolean;
};

/** The table of pages, for the server that registers them. */
export function listPages(): readonly Page[] {
  return pages;
}

/** A page of the table as one HTML document. */
export function renderPage({ path, title, description, body, bodyClass, hasHeader }: Page, data: unknown, site: Site) {
  const { organisation } = site;
  return renderDocument(
    {
      path,
      title: title(organisation),
      description: description(organisation),
      body: body(data, organisation),
      bodyClass,
      hasHeader,
    },
    site,
  );
}

/** The page for an address that has none: a menu entry that is still being written, or nothing at all (NAV-8). */
export function renderNotFound(path: string, site: Site): string {
  const { organisation } = site;
  const label = findLabel(path, organisation);
  const body =
    label === null ? (
      <NotFoundPage organisation={organisation} />
    ) : (
      <ComingPage organisation={organisation} label={label} />
    );
  const title = `${label ?? "Page not found"} | ${organisation.name}`;
  return renderDocument({ path: "", title, description: title, body, isProblem: true }, site);
}

/** What the specification calls the page at this address; null for an address it does not know. */
export function findLabel(path: string, organisation: Organisation): string | null {
  const links = mainMenu(organisation).flatMap((entry) => ("links" in entry ? entry.links : [entry]));
  const others = [
    { label: "Contact Us", path: "/contact" },
    { label: "Become a volunteer", path: "/volunteer" },
    { label: "Create an account", path: "/register" },
  ];
  return [...links, ...others].find((link) => link.path === path)?.label ?? null;
}

/** The page for a failure of ours. */
export function renderFailure(incident: string, site: Site): string {
  const title = `Something went wrong | ${site.organisation.name}`;
  const body = <FailurePage organisation={site.organisation} incident={incident} />;
  return renderDocument({ path: "", title, description: title, body, isProblem: true }, site);
}

function renderDocument(document: Document, site: Site): string {
  const { path, body, bodyClass, hasHeader = true } = document;
  // Islands have rendered themselves already; the rest of the page stays as it is, so it needs none of React's marks.
  const rendered = renderToStaticMarkup(
    <PageFrame organisation={site.organisation} path={path} year={site.year} hasHeader={hasHeader}>
      {body}
    </PageFrame>,
  );
  const markup = withoutImagePreloads(rendered);
  const islands = [...new Set([...markup.matchAll(/ data-island="(\w+)"/g)].map(([, name]) => name ?? ""))];
  const files = site.findFiles(islands);
  const head = renderToStaticMarkup(<Head document={document} site={site} files={files} />);
  const linked = markup.replace(/ data-enhance="(\w+)"/g, (_, name) => ` data-enhance="${files.enhancements[name]}"`);
  const bodyTag = bodyClass === undefined ? "<body>" : `<body class="${bodyClass}">`;
  return `<!doctype html><html lang="en-AU" data-theme="auto"><head>${head}</head>${bodyTag}${linked}</body></html>`;
}

function Head({ document, site, files }: { document: Document; site: Site; files: LinkedFiles }) {
  const { title, description, path, isProblem = false } = document;
  const address = `${site.publicUrl}${path}`;
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={description} />
      {isProblem ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={address} />}
      {[textFont, displayFont].map((font) => (
        <link key={font} rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" />
      ))}
      {files.stylesheets.map((file) => (
        <link key={file} rel="stylesheet" href={file} />
      ))}
      {files.scripts.map((file) => (
        <script key={file} type="module" src={file} fetchPriority="low" />
      ))}
      {files.preloads.map((file) => (
        <link key={file} rel="modulepreload" href={file} fetchPriority="low" />
      ))}
      <meta name="theme-color" content="#16214f" />
      <meta name="color-scheme" content="light dark" />
      <link rel="icon" type="image/svg+xml" href="/identity/brand/favicon.svg" />
      {!isProblem && (
        <>
          <meta property="og:type" content="website" />
          <meta property="og:site_name" content={site.organisation.name} />
          <meta property="og:title" content={title} />
          <meta property="og:description" content={description} />
          <meta property="og:url" content={address} />
          <meta property="og:locale" content="en_AU" />
        </>
      )}
    </>
  );
}
