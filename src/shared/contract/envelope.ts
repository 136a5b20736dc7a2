import { z } from "zod";
import {
  type FieldErrors,
  type MoneyOutcome,
  moneyAfter,
  moneyOutcomes,
  type Problem,
  problems,
} from "#shared/errors.ts";
import type { Paged } from "#shared/paging.ts";

/**
 * The reply of every call (API-7): `code` is the HTTP status as text, `status` 'true' on success alone, `error` the
 * stable name of a problem, `data` the answer or, for bad input, {field: [messages]}.
 */
export const Envelope = z.object({
  code: z.union([z.string(), z.number()]),
  status: z.enum(["true", "false"]),
  message: z.string(),
  error: z.string().optional(),
  data: z.unknown().optional(),
  next: z.string().optional(),
  url: z.string().optional(),
  clientToken: z.string().optional(),
  /** Of the error `captcha_dearer`: ask `GET /captcha` for a challenge of this effort. */
  effort: z.number().optional(),
  /** Of a payment that was refused. */
  money: z.enum(moneyOutcomes).optional(),
});
export type Envelope = z.output<typeof Envelope>;

/**
 * What stands at the top level of an answer, beside its data: where a list goes on, the address of a document that was
 * made, the token that opens PayPal.
 */
export type BesideData = {
  readonly next?: string | undefined;
  readonly url?: string | undefined;
  readonly clientToken?: string | undefined;
};

/** What a handler answers; `data` may go with a refusal too (a declined payment still has its id). */
export type Reply<Data> =
  | ({ readonly ok: true; readonly data: Data; readonly message: string } & BesideData)
  | {
      readonly ok: false;
      readonly problem: Problem | "payment_processing";
      readonly message: string;
      readonly data?: Data;
    };

export function accepted<Data>(data: Data, message = "", beside: BesideData = {}): Reply<Data> {
  return { ok: true, data, message, ...beside };
}

/** One page of a list, and where it goes on. */
export function acceptedPage<Item>({ items, next }: Paged<Item>): Reply<Item[]> {
  return accepted([...items], "", { next: next ?? undefined });
}

export function refused<Data = never>(problem: Problem, more: { message?: string; data?: Data } = {}): Reply<Data> {
  const base = { ok: false, problem, message: more.message ?? problems[problem].says } as const;
  return more.data === undefined ? base : { ...base, data: more.data };
}

/** A payment whose outcome is not known yet: HTTP 202, and never a reason to pay again (DON-16). */
export function stillProcessing<Data>(data: Data, message: string): Reply<Data> {
  return { ok: false, problem: "payment_processing", message, data };
}

export function replyStatus<Data>(reply: Reply<Data>): number {
  if (reply.ok) return 200;
  return reply.problem === "payment_processing" ? 202 : problems[reply.problem].status;
}

export function moneyOf({ problem }: Extract<Reply<unknown>, { ok: false }>): MoneyOutcome {
  return problem === "payment_processing" ? "unknown" : moneyAfter(problem);
}

/** What a caller gets back. `status` 0 means that no envelope came: no answer, a 5xx page, a cut connection. */
export type Answer<Data> =
  | ({ readonly ok: true; readonly status: number; readonly message: string; readonly data: Data } & BesideData)
  | {
      readonly ok: false;
      readonly status: number;
      readonly error: string;
      readonly message: string;
      readonly data?: Data;
      readonly fields?: FieldErrors;
      /** Of `captcha_dearer`: what the captcha must be worth. */
      readonly effort?: number | undefined;
      /** Of a payment: what became of the payer's money. */
      readonly money?: MoneyOutcome | undefined;
    };
