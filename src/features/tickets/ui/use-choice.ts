import { useEffect, useState } from "react";
import type { TicketEvent, TicketType } from "../contract.ts";
import { MAXIMUM_QUANTITY, mostOf, type OrderLine } from "../order.ts";
import { sayWhyNoMore } from "../sale.ts";
import { changeDraft, findDraft } from "./draft-storage.ts";
import type { Seats } from "./offer-calls.ts";

/** A type as this tab may choose it: `left` and `most` count the seats that its own order holds. */
export type Choosable = TicketType & { readonly most: number };
type Typed = Readonly<Record<string, string>>;

export const fieldOf = (code: string) => `quantity-${code}`;

/** What is typed into the steppers; kept in the tab as it changes, and brought down when fewer seats are left than that. */
export function useChoice({ offer, own, isFresh }: Seats & { readonly isFresh: boolean }) {
  const types = offer.types.map((type) => choosable(type, own));
  const [typed, setTyped] = useState<Typed>(() => Object.fromEntries(types.map(({ code }) => [code, "0"])));
  const [says, setSays] = useState("");
  const lowered = types.filter((type) => countOf(typed, type.code) > type.most);

  /** Returns whether something had to be brought down. */
  const lower = (which: readonly Choosable[]) => {
    if (which.length === 0) return false;
    change(Object.fromEntries(which.map(({ code, most }) => [code, String(most)])));
    setSays(which.map(sayLowered).join(" "));
    return true;
  };
  const change = (changes: Typed) => {
    const next = { ...typed, ...changes };
    setTyped(next);
    setSays("");
    keep(offer, next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page takes over from the server's markup
  useEffect(() => setTyped((before) => ({ ...before, ...findChosen(offer) })), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when what is left is known anew
  useEffect(() => void (isFresh && lower(lowered)), [isFresh, offer]);

  return {
    types,
    typed,
    /** What was brought down, and why: a type that is sold out has no stepper to show it. */
    says,
    // Until it is known what this tab's own order holds, its seats look sold: what was chosen stands till then.
    lines: types.map(({ code, most }) => {
      const count = countOf(typed, code);
      return { type: code, quantity: isFresh ? Math.min(count, most) : count };
    }),
    wrong: types.filter(({ code, most }) => most > 0 && !/^\s*\d*\s*$/.test(typed[code] ?? "")),
    lower: () => isFresh && lower(lowered),
    keep: () => keep(offer, typed),
    change(type: Choosable, text: string) {
      const isLowered = countOf(typed, type.code) > type.most && text === String(type.most);
      change({ [type.code]: text });
      if (isLowered) setSays(sayLowered(type));
    },
  };
}
export type Choice = ReturnType<typeof useChoice>;

function choosable(type: TicketType, own: Seats["own"]): Choosable {
  const left = type.left + (own[type.code] ?? 0);
  const isOpen = type.state === "on_sale" || type.state === "sold_out";
  return { ...type, left, most: isOpen ? mostOf({ ...type, left }) : 0 };
}

function countOf(typed: Typed, code: string): number {
  const text = typed[code]?.trim() ?? "";
  return /^\d+$/.test(text) ? Math.min(Number(text), MAXIMUM_QUANTITY) : 0;
}

function sayLowered(type: Choosable): string {
  return type.most === 0
    ? `${type.title} can no longer be chosen.`
    : `${type.title}: ${sayWhyNoMore(type, type.most)}, so ${type.most} are chosen.`;
}

/** What was typed before the page's script ran, else what this tab has kept. */
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

/** What else is kept stays: an order that holds earlier seats is given up by the checkout, in one go with the new one. */
function keep({ slug, types }: TicketEvent, typed: Typed): void {
  const lines: OrderLine[] = types.map(({ code }) => ({ type: code, quantity: countOf(typed, code) }));
  changeDraft(slug, { lines: lines.filter(({ quantity }) => quantity > 0) });
}
