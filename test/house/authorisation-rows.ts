import { randomBytes } from "node:crypto";
import type { Visitor } from "../site.ts";
import type { WholeSite } from "./whole-site.ts";

/** What belongs to somebody and can be asked for: an account, and a gift with its papers. */
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
  /** Their paid order of one ticket and a held one, with the keys of their links. */
  readonly tickets: { readonly id: string; readonly key: string; readonly ticketId: string };
  readonly held: { readonly id: string; readonly key: string };
  /** Signed links, good for whoever holds them. */
  readonly receiptUrl: string;
  readonly summaryUrl: string;
};

export type Request = {
  readonly url?: string;
  /** Sent as JSON, or as the bytes of a form with files. */
  readonly body?: object | Buffer;
  /** In place of a body: a form, as providers post it. */
  readonly form?: string;
  readonly headers?: Record<string, string>;
};

/**
 * One way to ask a route, and what each person gets: a status, and behind it the problem's name or where a redirect leads,
 * `{…}` in it being one of the belongings asked for.
 * `own`, `others` and `missing` are what somebody with a session gets for what is theirs, another person's and nobody's;
 * `visitor` (nothing at all) and `guest` (a forgery token, as every page gets one) have nothing of their own and ask for
 * another person's and for nobody's.
 */
export type Row = {
  readonly route: string;
  readonly visitor: string;
  readonly guest: string;
  readonly own: string;
  readonly others?: string;
  readonly missing?: string;
  /** Needs no forgery token although it is no GET: it changes nothing, as the specification posts it. */
  readonly isExempt?: true;
  /** Ends what it is done with, so each request gets accounts of its own. */
  readonly isLasting?: true;
  readonly ask?: (of: Belongings, by: Visitor, site: WholeSite) => Request | Promise<Request>;
};

const noToken = "403 csrf";
const noSession = "401 not_signed_in";

/** Everybody gets the same. */
export const open = (path: string, says = "200", url = path): Row => {
  const row = { route: `GET ${path}`, visitor: says, guest: says, own: says };
  return url === path ? row : { ...row, ask: () => ({ url }) };
};

/** A call that needs no session but the forgery token. */
export const post = (path: string, row: Omit<Row, "route" | "visitor">): Row => ({
  route: `POST /api${path}`,
  visitor: noToken,
  ...row,
});

/** A call about oneself. */
export const own = (route: string, row: Partial<Row> = {}): Row => ({
  route,
  visitor: noSession,
  guest: noSession,
  own: "200",
  ...row,
});

/** A page of one's own. */
export const ownPage = (path: string): Row => {
  const toLogin = `302 /login?return=${encodeURIComponent(path)}`;
  return { route: `GET ${path}`, visitor: toLogin, guest: toLogin, own: "200" };
};

/** A link whose signature is another link's. */
export const forged = (url: string) => url.replace(/key=.*/, `key=${randomBytes(32).toString("base64url")}`);
