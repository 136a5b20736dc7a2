import { useState } from "react";
import { latinDigits } from "#shared/contract/latin-digits.ts";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import type { TicketEvent, TicketType } from "../../contract.ts";
import { maximumOf, type OrderLine } from "../../order.ts";
import { describeLimit } from "../../sale.ts";
import { changeDraft, findDraft } from "../draft-storage.ts";
import type { Seats } from "./offer-calls.ts";

/** A type as this tab may choose it: `left` and `max` include the seats that its own order holds. */
export type Choosable = TicketType & { readonly max: number };
type Typed = Readonly<Record<string, string>>;

export const fieldOf = (code: string) => `quantity-${code}`;

type Own = Seats & { readonly isFresh: boolean };

/** What is typed into the steppers, kept in the tab. It stays as typed, even when fewer seats are left. */
export function useChoice({ offer, own, isFresh }: Own) {
  const types = offer.types.map((type) => choosable(type, own));
  const [typed, setTyped] = useState<Typed>(() => Object.fromEntries(types.map(({ code }) => [code, "0"])));
  useOnMount(() => setTyped((before) => ({ ...before, ...findChosen(offer) })));
  // Until the tab's own hold is known, its seats look sold, so the choice stands.
  const gone = types.filter(({ code, max }) => isFresh && max === 0 && countOf(typed, code) > 0);
  const lines = linesOf(typed, types).filter(({ type }) => !gone.some(({ code }) => code === type));
  return {
    types,
    typed,
    lines,
    faultOf: (type: Choosable) => findFault(type, typed[type.code] ?? "", isFresh),
    /** Chosen types that are no longer available: without a stepper, only this sentence mentions them. */
    text: gone.map(({ title }) => `${title} is no longer available and is not in your order.`).join(" "),
    keep: () => keep(offer, lines),
    change(code: string, text: string) {
      const next = { ...typed, [code]: text };
      setTyped(next);
      keep(offer, linesOf(next, types));
    },
  };
}
export type Choice = ReturnType<typeof useChoice>;

function choosable(type: TicketType, own: Seats["own"]): Choosable {
  const left = type.left + (own[type.code] ?? 0);
  const isOpen = type.state === "on_sale" || type.state === "sold_out";
  return { ...type, left, max: isOpen ? maximumOf({ ...type, left }) : 0 };
}

function findFault(type: Choosable, typed: string, isFresh: boolean): string | undefined {
  const { title, max } = type;
  const text = latinDigits(typed);
  if (max === 0) return undefined;
  if (!/^\s*\d*\s*$/.test(text)) return `Enter a whole number of ${title} tickets, 0 to ${max}`;
  return (isFresh && Number(text) > max && describeLimit(type, Number(text))) || undefined;
}

/** 0 unless a plausible number was typed. */
function countOf(typed: Typed, code: string): number {
  const text = latinDigits(typed[code] ?? "").trim();
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

function linesOf(typed: Typed, types: readonly Choosable[]): OrderLine[] {
  return types
    .map(({ code }) => ({ type: code, quantity: countOf(typed, code) }))
    .filter(({ quantity }) => quantity > 0);
}

/** What was typed before the script ran, or else what this tab has kept. */
function findChosen({ slug, types }: TicketEvent): Typed {
  const kept = new Map(findDraft(slug)?.lines.map(({ type, quantity }) => [type, String(quantity)]));
  return Object.fromEntries(
    types.map(({ code }) => {
      const field = document.getElementById(fieldOf(code)) as HTMLInputElement | null;
      const before = field?.value ?? "0";
      return [code, before === "0" ? (kept.get(code) ?? "0") : before];
    }),
  );
}

/** Keeps the draft's order: the checkout replaces that hold in one step. */
function keep({ slug, access }: TicketEvent, lines: readonly OrderLine[]): void {
  changeDraft(slug, { lines: [...lines], ...(access !== "" && { access }) });
}
