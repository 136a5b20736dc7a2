import { z } from "zod";
import type { BesideData } from "./envelope.ts";

/**
 * One API call, declared once: mounted on the server (`shared/http/mount.ts`), called from pages and tests (`call`),
 * described in OpenAPI. `path` is below /api; `{name}` is a parameter. Schemas decode from the wire to our names.
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
  /** The query string; all values are texts on the wire. */
  readonly query: Query;
  readonly body: Body;
  readonly data: Data;
  /** The body is a multipart form: each file's name on the wire, with the message if it is missing. */
  readonly files?: Readonly<Record<string, string>>;
  /** Answers 401 without a session, before anything is read (API-15). */
  readonly needsSession?: true;
  /** Its id belongs to one person: other members get 403, whether it exists or not (API-9). */
  readonly isPrivate?: true;
  /** Sends a payment: a refusal says what happened to the payer's money. */
  readonly takesPayment?: true;
  /** What its success has beside `data`. */
  readonly beside?: keyof BesideData;
  /** The specification has one call whose code is the number 200 instead of text (API-7). */
  readonly successCode?: "number";
};

export const Nothing = z.object({});

type Plain = Omit<Route, "params" | "query" | "body" | "data">;
type Declared<Params, Body, Data, Query> = Plain & { params?: Params; query?: Query; body?: Body; data: Data };

/** Declares a call; omitted schemas default to empty objects. */
export function route<
  Data extends z.ZodType,
  Params extends z.ZodType = typeof Nothing,
  Body extends z.ZodType = typeof Nothing,
  Query extends z.ZodType = typeof Nothing,
>(declared: Declared<Params, Body, Data, Query>): Route<Params, Body, Data, Query>;
export function route(declared: Declared<z.ZodType, z.ZodType, z.ZodType, z.ZodType>): Route {
  return { params: Nothing, query: Nothing, body: Nothing, ...declared };
}
