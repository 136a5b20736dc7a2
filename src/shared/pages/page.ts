import type { ReactElement } from "react";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import type { Picture } from "#shared/images/picture.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import type { Crumb } from "#shared/ui/page-navigation.tsx";
import type { Menus } from "./frame.ts";

/** The reads that pages may use. Each feature adds its own, and its server manifest provides them. */
export interface PageReads {
  listChanges(): Promise<readonly PageChange[]>;
  /** Where an address that nothing answers leads, with its query: on this site, or to another; null if nowhere. */
  findRedirect(pathAndQuery: string): Promise<string | null>;
}

/** `changedAt` is null for a page that was taken down. */
export type PageChange = { readonly path: string; readonly changedAt: Date | null };

/** The parts of the address that a page may read: path parameters, the cursor of a list, and query parameters. */
export type PageAddress = {
  readonly params: Readonly<Record<string, string>>;
  readonly after?: string;
  /** Those of `queryParameters` that are present. */
  readonly query?: Readonly<Record<string, string>>;
};

export type PageHead = {
  /** Without the organisation's name, which is appended. */
  readonly title: string;
  readonly description: string;
  /** Shown where the page is shared. */
  readonly picture?: Picture | null;
  /** The breadcrumbs, if the menu does not define them; the last one is the page itself. */
  readonly trail?: readonly Crumb[];
  /** JSON-LD in addition to every page's own. */
  readonly structured?: readonly object[];
  readonly isArticle?: true;
  /** The canonical address if the path alone is not enough: '/ticketAbout?event=charity-dinner'. */
  readonly address?: string;
  /** The path of the page whose sharing picture is used. */
  readonly sharedAs?: string;
  /** Nothing on it is worth indexing now. */
  readonly isIndexed?: false;
};

export type PageContext = {
  readonly organisation: Organisation;
  /** The site's address, without a slash at the end. */
  readonly publicUrl: string;
  readonly path: string;
};

type PageRow<Data> = {
  /** `:name` matches lower-case letters, digits and hyphens. */
  readonly path: string;
  /** Null if there is no such page. `user` is set on pages for members. */
  readonly load: (
    reads: PageReads,
    address: PageAddress,
    organisation: Organisation,
    user?: SessionUser,
  ) => Promise<Data | null>;
  readonly head: (data: Data, context: PageContext) => PageHead;
  /** `trail` has the page's breadcrumbs. */
  readonly body: (
    data: Data,
    context: PageContext & {
      readonly trail: readonly Crumb[];
      readonly brand: BrandFrame;
      /** Every menu, as visitors see it now. */
      readonly menus: Menus;
    },
  ) => ReactElement;
  /** A page with a form, over which the registration badge never floats. */
  readonly bodyClass?: "is-form";
  /** The ticket pages hide the header (LAY-1). */
  readonly hasHeader?: false;
  /** Takes payments: its security policy allows the providers' scripts and frames. */
  readonly takesPayments?: true;
  /** Has a captcha: the security policy allows its parts. */
  readonly hasCaptcha?: true;
  /**
   * Who may see it; everybody if left out. - `member`: rendered for each request, never cached; without a session it
   * redirects to the log-in (PRO-1). - `member or guest`: the same for everybody with a session or the guest's cookie;
   * anybody else is led to the log-in and back (DON-2). - `key`: rendered for each request, never cached; for whoever
   * has its link's key.
   */
  readonly access?: "member" | "member or guest" | "key";
  /** `none`: the same for everybody, but rendered for each request, because it changes by the minute. */
  readonly caching?: "none";
  /** The query parameters that the page reads; only if rendered for each request. */
  readonly queryParameters?: readonly string[];
  /** A list with pages at `?after=`. */
  readonly isPaged?: true;
  /** A script that runs before the first paint, by the name of its `.script.ts` file. */
  readonly firstScript?: string;
  /** Not for search engines. */
  readonly isIndexed?: false;
  /** Not on live sites. */
  readonly isForDevelopers?: true;
};

export type Page = PageRow<unknown>;

/** Erases the type of the page's data, so that all pages fit into one list. */
export function page<Data>({ head, body, ...row }: PageRow<Data>): Page {
  return {
    ...row,
    head: (data, context) => head(data as Data, context),
    body: (data, context) => body(data as Data, context),
  };
}

/** The page for a path; fixed paths come before those with parameters, as in the router. */
export function findPage(
  pages: readonly Page[],
  path: string,
): { readonly page: Page; readonly params: PageAddress["params"] } | undefined {
  const fixed = pages.find((page) => page.path === path);
  if (fixed !== undefined) return { page: fixed, params: {} };
  for (const page of pages.filter((one) => one.path.includes(":"))) {
    const match = new RegExp(`^${page.path.replace(/:(\w+)/g, "(?<$1>[a-z0-9-]+)")}$`).exec(path);
    if (match !== null) return { page, params: { ...match.groups } };
  }
  return undefined;
}
