import type { ReactElement } from "react";
import type { ContentReads } from "#features/content/content.ts";
import type { HistoryReads } from "#features/donations/history.ts";
import type { TicketReads } from "#features/tickets/reads.ts";
import type { ApplicantReads } from "#features/volunteering/applicant.ts";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import type { Picture } from "#shared/images/picture.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { PlaceReads } from "#shared/places/contract.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import type { Crumb } from "#shared/ui/breadcrumbs.tsx";

/** What pages may ask the server for; `captcha` is what a page needs to show it. */
export type PageServices = ContentReads &
  HistoryReads &
  ApplicantReads &
  PlaceReads &
  TicketReads & { readonly captcha: CaptchaSetup };

/** What of the address a page may read: the named parts of its path, where a list goes on, and what it asks. */
export type PageAddress = {
  readonly params: Readonly<Record<string, string>>;
  readonly after?: string;
  /** Of what the page `asks`, what was there. */
  readonly asked?: Readonly<Record<string, string>>;
};

/** What stands in the head, and in what others show of the page. */
export type PageHead = {
  /** Without the organisation's name, which is set behind it. */
  readonly title: string;
  readonly description: string;
  /** Shown beside the title where the page is shared. */
  readonly picture?: Picture | null;
  /** Where the page stands, when the menu does not say; the last crumb is the page itself. */
  readonly trail?: readonly Crumb[];
  /** JSON-LD beside what every page says of itself. */
  readonly structured?: readonly object[];
  readonly isArticle?: true;
  /** The page's own address where its path alone does not name it: '/ticketAbout?event=charity-dinner'. */
  readonly address?: string;
  /** The path of the page whose sharing picture stands for this one too. */
  readonly sharedAs?: string;
  /** There is nothing on it just now that a search engine should lead to. */
  readonly isIndexed?: false;
};

/** The site around a page, for whoever draws it. */
export type PageContext = {
  readonly organisation: Organisation;
  /** The site's address, without a slash at the end. */
  readonly publicUrl: string;
  /** The page's own path. */
  readonly path: string;
};

export type PageRow<Data> = {
  /** `:name` takes a part of the path: lower-case letters, digits and hyphens. */
  readonly path: string;
  /** Null: there is no such page. `user` is there on a page that `needsSession`. */
  readonly load: (
    services: PageServices,
    address: PageAddress,
    organisation: Organisation,
    user?: SessionUser,
  ) => Promise<Data | null>;
  readonly head: (data: Data, context: PageContext) => PageHead;
  /** `trail` is the page's own, for the breadcrumbs it shows. */
  readonly body: (data: Data, context: PageContext & { readonly trail: readonly Crumb[] }) => ReactElement;
  /** A page with a form: the registration badge never floats over it. */
  readonly bodyClass?: "is-form";
  /** The ticket pages hide the header (LAY-1). */
  readonly hasHeader?: false;
  /** Takes payments: its security policy lets the provider's script and frame in. */
  readonly takesPayments?: true;
  /** Its captcha is solved on the page: the policy lets its parts in. */
  readonly hasCaptcha?: true;
  /** A page of one's own: rendered for each request, never kept, and without a session it leads to the log-in (PRO-1). */
  readonly needsSession?: true;
  /** The same for everybody with a session or the guest's cookie; anybody else is led to the log-in and back (DON-2). */
  readonly needsSessionOrGuest?: true;
  /** A page of one's own without a session: rendered for each request, never kept, and there for whoever has its link's key. */
  readonly needsKey?: true;
  /** The same for everybody, and shows what changes by the minute: rendered for each request, never kept. */
  readonly changesByTheMinute?: true;
  /** What a page that is rendered for each request reads behind the `?`, by name. */
  readonly asks?: readonly string[];
  /** A list that goes on at `?after=`. */
  readonly isPaged?: true;
  /** A script that runs before the page is painted. */
  readonly firstScript?: "loginStart";
  /** Search engines have no use for it. */
  readonly isIndexed?: false;
  /** Not on a site that takes real money. */
  readonly isForDevelopers?: true;
};

export type Page = PageRow<unknown>;

/** Forgets the type of what a page loads, so that pages of all kinds fit one table. */
export function page<Data>(row: PageRow<Data>): Page {
  return row as unknown as Page;
}
