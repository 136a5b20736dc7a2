import { ticketPath } from "#shared/paths.ts";
import type { TicketEvent, TicketType } from "./contract.ts";

/** The `offers` that belong beside `eventData`: prices and availability; empty while nobody can buy any. */
export function ticketOffers(
  { slug, state, types }: Pick<TicketEvent, "slug" | "state" | "types">,
  publicUrl: string,
): object {
  if (state === "over" || state === "called_off" || state === "stopped") return {};
  const url = publicUrl + ticketPath("ticketAbout", slug);
  return {
    offers: types.map(({ title, priceCents, salesFrom, salesUntil, state }) => ({
      "@type": "Offer",
      name: title,
      url,
      price: (priceCents / 100).toFixed(2),
      priceCurrency: "AUD",
      availability: `https://schema.org/${availability[state]}`,
      ...(salesFrom === null ? {} : { validFrom: salesFrom }),
      ...(salesUntil === null ? {} : { validThrough: salesUntil }),
    })),
  };
}

const availability = {
  on_sale: "InStock",
  sold_out: "SoldOut",
  not_yet: "PreOrder",
  closed: "OutOfStock",
} as const satisfies Record<TicketType["state"], string>;
