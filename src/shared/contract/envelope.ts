import { z } from "zod";
import { type AnyProblem, type FieldErrors, findProblem, type MoneyOutcome, moneyOutcomes } from "#shared/errors.ts";
import type { Paged } from "./paging.ts";

/**
 * The answer to every call (API-7): `code` is the HTTP status as text, `status` is 'true' only for success, `error` the
 * stable name of a problem, `data` the result or, for invalid input, {field: [messages]}.
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
  /** For `captcha_dearer`: get a challenge of this effort from `GET /captcha`. */
  effort: z.number().optional(),
  /** For a refused payment. */
  money: z.enum(moneyOutcomes).optional(),
});
export type Envelope = z.output<typeof Envelope>;

/** Fields beside `data`: the cursor of a list's next page, the address of a new document, PayPal's client token. */
export type BesideData = {
  readonly next?: string | undefined;
  readonly url?: string | undefined;
  readonly clientToken?: string | undefined;
};

/** A handler's result; `data` may accompany a refusal, too (a declined payment has an id). */
export type Reply<Data> =
  | ({ readonly ok: true; readonly data: Data; readonly message: string } & BesideData)
  | {
      readonly ok: false;
      readonly problem: string;
      readonly status: number;
      readonly money: MoneyOutcome;
      readonly message: string;
      readonly data?: Data;
    };

/** A success; `beside` goes next to `data`. */
export function accepted<Data>(data: Data, message = "", beside: BesideData = {}): Reply<Data> {
  return { ok: true, data, message, ...beside };
}

/** A page of a list; the cursor `next` goes beside `data` if there are more. */
export function acceptedPage<Item>({ items, next }: Paged<Item>): Reply<Item[]> {
  return accepted([...items], "", { next: next ?? undefined });
}

/** A refusal that people cause by ordinary actions, with the problem's own message by default. */
export function refused<Data = never>(problem: AnyProblem, more: { message?: string; data?: Data } = {}): Reply<Data> {
  const { name, status, money, text } = findProblem(problem);
  const base = { ok: false, problem: name, status, money, message: more.message ?? text } as const;
  return more.data === undefined ? base : { ...base, data: more.data };
}

/** A payment whose outcome is unknown: HTTP 202, and never a reason to pay again (DON-16). */
export function stillProcessing<Data>(data: Data, message: string): Reply<Data> {
  return { ok: false, problem: "payment_processing", status: 202, money: "unknown", message, data };
}

/** The HTTP status of a reply. */
export function replyStatus<Data>(reply: Reply<Data>): number {
  return reply.ok ? 200 : reply.status;
}

/** What a caller gets. `status` 0: no readable answer (nothing, a 5xx page, a lost connection). */
export type Answer<Data> =
  | ({ readonly ok: true; readonly status: number; readonly message: string; readonly data: Data } & BesideData)
  | {
      readonly ok: false;
      readonly status: number;
      readonly error: string;
      readonly message: string;
      readonly data?: Data;
      readonly fields?: FieldErrors;
      /** For `captcha_dearer`: the required effort. */
      readonly effort?: number | undefined;
      /** For a payment: what happened to the payer's money. */
      readonly money?: MoneyOutcome | undefined;
    };
