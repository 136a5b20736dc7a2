import { z } from "zod";

/**
 * One server call, declared once: mounted on the server (`shared/http/mount.ts`), called from page and test (`call`),
 * described by OpenAPI. `path` is below /api; `{name}` marks a parameter. Every schema is read wire → ours.
 */
export type Route<
  Params extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
> = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  readonly params: Params;
  /** What stands behind the `?`; texts, as the wire has no others there. */
  readonly query: Query;
  readonly body: Body;
  readonly data: Data;
  /** The body is a multipart form; each file by its name on the wire, with the sentence for one that is missing. */
  readonly files?: Readonly<Record<string, string>>;
  /** Without a session it is 401, before anything that was sent is looked at (API-15). */
  readonly needsSession?: true;
  /** What its id names is somebody's own: a member hears 403 for any that is not theirs, whether it exists or not (API-9). */
  readonly isPrivate?: true;
  /** Sends a payment: a refusal says what became of the payer's money. */
  readonly takesPayment?: true;
  /** The specification has one call that answers the number 200 and not the text (API-7). */
  readonly successCode?: "number";
};

export const Nothing = z.object({});

export function route<
  Data extends z.ZodType,
  Params extends z.ZodType = typeof Nothing,
  Body extends z.ZodType = typeof Nothing,
  Query extends z.ZodType = typeof Nothing,
>(declared: {
  method: "GET" | "POST";
  path: string;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  data: Data;
  files?: Readonly<Record<string, string>>;
  needsSession?: true;
  isPrivate?: true;
  takesPayment?: true;
  successCode?: "number";
}): Route<Params, Body, Data, Query> {
  return { params: Nothing as never, query: Nothing as never, body: Nothing as never, ...declared };
}
