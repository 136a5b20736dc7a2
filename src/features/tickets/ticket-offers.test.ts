import { expect, test } from "vitest";
import type { TicketEvent } from "./contract.ts";
import { ticketOffers } from "./ticket-offers.ts";

test("TIC-1, NAV-9: tickets tell search engines their price, currency and availability", () => {
  const vip = {
    code: "vip",
    title: "VIP Seat",
    description: "",
    priceCents: 10_000,
    left: 3,
    limitPerOrder: 10,
    state: "on_sale" as const,
    salesFrom: "2026-12-01T00:00:00.000Z",
    salesUntil: null,
  } as const;
  const offer: Pick<TicketEvent, "slug" | "state" | "types"> = {
    slug: "charity-dinner",
    state: "on_sale",
    types: [vip, { ...vip, state: "sold_out" as const }],
  };
  const { offers } = ticketOffers(offer, "https://give.example") as { offers: object[] };
  expect(offers[0]).toEqual({
    "@type": "Offer",
    name: "VIP Seat",
    url: "https://give.example/ticketAbout?event=charity-dinner",
    price: "100.00",
    priceCurrency: "AUD",
    availability: "https://schema.org/InStock",
    validFrom: "2026-12-01T00:00:00.000Z",
  });
  expect(offers[1]).toMatchObject({ availability: "https://schema.org/SoldOut" });
  for (const state of ["over", "called_off", "stopped"] as const)
    expect(ticketOffers({ ...offer, state }, "https://give.example")).toEqual({});
});
