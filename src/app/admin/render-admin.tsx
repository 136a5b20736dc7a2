import { renderToStaticMarkup } from "react-dom/server";
import { listMenu, type Screen, type ScreenRequest, type WaitingCounts } from "#admin/screen.ts";
import type { SetUp } from "#admin/set-up.ts";
import type { Toast } from "#admin/toast.ts";
import { NoConnection } from "#admin/ui/form.tsx";
import { Layout } from "#admin/ui/layout.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { direction, language } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import textFont from "#shared/ui/identity/fonts/figtree-english-wght-normal.woff2?no-inline";
import displayFont from "#shared/ui/identity/fonts/young-serif-english-400-normal.woff2?no-inline";
import { screens } from "./screens.ts";

/** Addresses of the built files. A screen loads the scripts whose names it has in a `data-enhance`. */
export type AdminFiles = {
  readonly stylesheet: string;
  readonly scripts: readonly { readonly name: string; readonly address: string; readonly integrity: string }[];
};

export type AdminFrame = {
  readonly organisation: Organisation;
  readonly files: AdminFiles;
  /** What the last act did, for a toast that shows once. */
  readonly toast: Toast | null;
  /** The steps of setting up the site, for people who may take them; null if they are not to be shown. */
  readonly setUp: SetUp | null;
  /** How much waits in each section. */
  readonly waiting: WaitingCounts;
  readonly now: Date;
};

/** All screens, for the server that registers them. */
export function listScreens(): readonly Screen[] {
  return screens;
}

/** Renders a screen as an HTML document. */
export function renderScreen(screen: Screen, data: unknown, request: ScreenRequest, frame: AdminFrame): string {
  const title = screen.title(data);
  // The first that a screen reader says of the page.
  const marked = request.form?.state === "refused" ? `Error: ${title}` : title;
  return renderDocument(marked, screen.body(data, request), { screen, request, frame });
}

/** The page shown instead of a screen: what happened, whether anything was changed, and what to do. */
export function renderAdminProblem(
  { title, text }: { title: string; text: string },
  request: ScreenRequest,
  frame: AdminFrame,
): string {
  const body = (
    <>
      <PageHead title={title} />
      <Note look="bad">{text}</Note>
      {request.staff !== null && request.path !== "/admin" && (
        <p className="row press">
          <a className="btn plain" href="/admin">
            Go to the dashboard
          </a>
        </p>
      )}
    </>
  );
  return renderDocument(title, body, { screen: undefined, request, frame });
}

type Around = { readonly screen: Screen | undefined; readonly request: ScreenRequest; readonly frame: AdminFrame };

function renderDocument(title: string, body: React.ReactElement, { screen, request, frame }: Around): string {
  const { organisation, files, toast } = frame;
  const { staff } = request;
  const document = (
    <html lang={language} dir={direction}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>{`${title} | Back office | ${organisation.name}`}</title>
        <meta name="robots" content="noindex" />
        {[textFont, displayFont].map((font) => (
          <link key={font} rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" />
        ))}
        <link rel="stylesheet" href={files.stylesheet} />
        <meta name="theme-color" content="#16214f" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="/identity/brand/favicon.svg" />
      </head>
      <body>
        {staff === null || screen?.isBare ? (
          <main id="main">{body}</main>
        ) : (
          <Layout
            organisationName={organisation.name}
            staff={staff}
            menu={listMenu(screens, staff, screen, frame.waiting)}
            toast={toast}
            setUp={frame.setUp}
            path={request.path}
            hasNoMail={request.hasNoMail}
            now={frame.now}
          >
            {body}
          </Layout>
        )}
        <NoConnection />
      </body>
    </html>
  );
  const markup = renderToStaticMarkup(document);
  const scripts = files.scripts.filter(({ name }) => markup.includes(`data-enhance="${name}"`));
  const links = scripts.map(({ address, integrity }) => (
    <script key={address} type="module" src={address} integrity={integrity} />
  ));
  return `<!doctype html>${markup.replace("</head>", () => `${renderToStaticMarkup(links)}</head>`)}`;
}
