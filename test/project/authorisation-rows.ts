import { randomBytes } from "node:crypto";
import type { Visitor } from "../site.ts";
import type { WholeSite } from "./whole-site.ts";

/** What belongs to a person and can be requested: an account, and a donation with its documents. */
export type Belongings = {
  readonly userId: number;
  readonly email: string;
  readonly addressKey: string;
  readonly passkeyId: string;
  readonly donationId: string;
  readonly paymentId: string;
  readonly reference: string;
  /** Their application to volunteer, and the key of its link. */
  readonly applicationId: string;
  readonly applicationKey: string;
  /** Their paid order of one ticket and a held order, with the keys of their links. */
  readonly tickets: { readonly id: string; readonly key: string; readonly ticketId: string };
  readonly held: { readonly id: string; readonly key: string };
  /** Their place on a waiting list, with the key of its link. */
  readonly waiting: { readonly id: string; readonly key: string };
  /** Signed links, which work for anyone who has them. */
  readonly receiptUrl: string;
  readonly summaryUrl: string;
};

export type Request = {
  readonly url?: string;
  /** Sent as JSON, or as the bytes of a form with files. */
  readonly body?: object | Buffer;
  /** A form instead of a JSON body, as providers post it. */
  readonly form?: string;
  readonly headers?: Record<string, string>;
};

/**
 * A request to a route, and what each person gets: a status, then the problem's name or the redirect's target, in which
 * `{…}` is one of the requested belongings.
 * `own`, `others` and `missing` are what a member gets for their own, another person's and nonexistent things. `visitor`
 * (without cookies) and `guest` (with a forgery token, like every page) own nothing, and request the other two.
 */
export type AuthorisationRow = {
  readonly route: string;
  readonly visitor: string;
  readonly guest: string;
  readonly own: string;
  readonly others?: string;
  readonly missing?: string;
  /** Needs no forgery token, because this POST of the specification changes nothing. */
  readonly isExempt?: true;
  /** Closes what it acts on, so each request gets new accounts. */
  readonly isLasting?: true;
  readonly ask?: (of: Belongings, by: Visitor, site: WholeSite) => Request | Promise<Request>;
};

const noToken = "403 csrf";
const noSession = "401 not_signed_in";

/** Everybody gets the same. */
export const open = (path: string, text = "200", url = path): AuthorisationRow => {
  const row = { route: `GET ${path}`, visitor: text, guest: text, own: text };
  return url === path ? row : { ...row, ask: () => ({ url }) };
};

/** A call that needs the forgery token but no session. */
export const post = (path: string, row: Omit<AuthorisationRow, "route" | "visitor">): AuthorisationRow => ({
  route: `POST /api${path}`,
  visitor: noToken,
  ...row,
});

/** A call about the member. */
export const own = (route: string, row: Partial<AuthorisationRow> = {}): AuthorisationRow => ({
  route,
  visitor: noSession,
  guest: noSession,
  own: "200",
  ...row,
});

/** A personal page. */
export const ownPage = (path: string): AuthorisationRow => {
  const toLogin = `302 /login?return=${encodeURIComponent(path)}`;
  return { route: `GET ${path}`, visitor: toLogin, guest: toLogin, own: "200" };
};

/** A link with another link's signature. */
export const forged = (url: string) => url.replace(/key=.*/, `key=${randomBytes(32).toString("base64url")}`);
