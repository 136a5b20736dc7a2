// @vitest-environment jsdom
import { expect, test } from "vitest";
import { Organisation } from "#shared/organisation.ts";
import type { PageReads } from "#shared/pages/page.ts";
import { siteFrame } from "#test/pages/site-frame.ts";
import { dinner as event, heldOrder, offer } from "#test/pages/tickets.ts";
import settings from "../../organisation.json" with { type: "json" };
import { listPages, renderPage } from "./rendering/render.tsx";

const organisation = Organisation.parse({ ...settings, name: "Marigold Trust", phone: "02 9000 1111" });
const site = siteFrame(organisation);

const free = { ...event, slug: "packing-day", title: "Packing day" };
let isOnSale = true;
const services = {
  findTicketedEvent: async (slug = event.slug) => (isOnSale && slug === event.slug ? { event, offer } : null),
  findBooking: async ({ slug }) =>
    slug === event.slug
      ? { href: `/ticketAbout?event=${slug}`, price: "From $50.00 a ticket", isStopped: false }
      : null,
  findEvent: async (slug) => [event, free].find((one) => one.slug === slug) ?? null,
  findPlaces: async (statesOf) => ({ countries: [{ id: 2, name: "Pakistan", dialCode: "92" }], statesOf, states: [] }),
  findTicketOrder: async (id, key) => (id === heldOrder.id && key === heldOrder.key ? heldOrder : null),
} as Partial<PageReads> as PageReads;

const rowOf = (path: string) => listPages().find((row) => row.path === path)!;
const onTheWay = ["/ticketAbout", "/selectTickets", "/ticketsCheckout"] as const;

/** The page rendered for this query; null if there is none. */
async function open(path: string, { query = {}, params = {} }: { query?: object; params?: object } = {}) {
  const address = { params, query } as Parameters<ReturnType<typeof rowOf>["load"]>[1];
  const data = await rowOf(path).load(services, address, organisation);
  if (data === null) return null;
  return new DOMParser().parseFromString(renderPage(rowOf(path), path, data, site), "text/html");
}
const textOf = (element: Element | null | undefined) => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
const links = (page: Document | null) =>
  [...(page?.querySelectorAll("main a") ?? [])].map((link) => link.getAttribute("href"));
const islandsOf = (page: Document | null) =>
  [...(page?.querySelectorAll<HTMLElement>("[data-island]") ?? [])].map(({ dataset }) => dataset.island);
const eventItem = (page: Document | null) => {
  const graph = JSON.parse(page?.querySelector("script[type='application/ld+json']")?.textContent ?? "{}")["@graph"];
  return (graph as Record<string, unknown>[]).find((item) => item["@type"] === "Event");
};

test("LAY-1: the ticket pages have no header, keep the footer, and lead home", async () => {
  for (const path of onTheWay) {
    const page = (await open(path))!;
    expect(page.querySelector(".site-top"), path).toBeNull();
    expect(page.querySelector("footer"), path).not.toBeNull();
    expect(links(page), path).toContain("/");
    expect(page.querySelectorAll("h1"), path).toHaveLength(1);
  }
  const order = await open("/ticket-orders/:id", { params: { id: heldOrder.id }, query: { key: "the-key" } });
  expect(order!.querySelector(".site-top")).not.toBeNull();
});

test("TIC-1, TIC-2: the pages are made for each request; only the first one is for search engines", async () => {
  const rows = onTheWay.map(rowOf);
  expect(rows.map((row) => [row.caching, row.queryParameters])).toEqual(Array(3).fill(["none", ["event", "key"]]));
  const robots = async (path: string) => (await open(path))!.querySelector("meta[name=robots]") !== null;
  expect(await Promise.all(onTheWay.map(robots))).toEqual([false, true, true]);
  expect(rows.map(({ takesPayments = false }) => takesPayments)).toEqual([false, false, true]);
});

test("TIC-1: the page of the next event, or of the one that is named, is one address with its prices in the data", async () => {
  for (const query of [{}, { event: "" }, { event: "charity-dinner" }]) {
    const page = await open("/ticketAbout", { query });
    expect(page!.title).toBe("Charity dinner & music: tickets | Marigold Trust");
    expect(page!.querySelector("link[rel=canonical]")?.getAttribute("href")).toBe(
      "https://give.example/ticketAbout?event=charity-dinner",
    );
    expect(page!.querySelector("meta[property='og:image']")?.getAttribute("content")).toBe(
      "https://give.example/sharing/events/charity-dinner.png",
    );
    expect(eventItem(page)).toMatchObject({
      "@id": "https://give.example/events/charity-dinner#event",
      offers: [
        { name: "VIP Seat", price: "100.00", priceCurrency: "AUD" },
        { name: "Standard Seat", price: "50.00" },
      ],
    });
    expect(textOf(page!.querySelector("main"))).toContain("The menu");
    expect(islandsOf(page)).toEqual([]);
  }
});

test("TIC-2: the choice and the checkout are islands that get what is on sale", async () => {
  const select = await open("/selectTickets", { query: { event: "charity-dinner" } });
  expect(islandsOf(select)).toEqual(["SelectTickets"]);
  expect(JSON.parse(select!.querySelector<HTMLElement>("[data-island]")!.dataset.props!)).toEqual({ offer });
  const checkout = await open("/ticketsCheckout");
  expect(islandsOf(checkout)).toEqual(["CheckoutPage"]);
  expect(JSON.parse(checkout!.querySelector<HTMLElement>("[data-island]")!.dataset.props!)).toMatchObject({
    slug: "charity-dinner",
    organisation: { name: "Marigold Trust", phone: "02 9000 1111" },
  });
});

test("TIC-1: an event that is not there has no page, and one without tickets says where to read of it", async () => {
  for (const path of onTheWay) {
    expect(await open(path, { query: { event: "nobodys" } }), path).toBeNull();
    expect(await open(path, { query: { event: "no\u0000such" } }), path).toBeNull();
    const page = await open(path, { query: { event: "packing-day" } });
    expect(textOf(page!.querySelector(".lede")), path).toContain("No tickets are sold online for Packing day.");
    expect(links(page), path).toContain("/events/packing-day");
  }
});

test("NAV-1, LAY-1: with nothing on sale the pages say so, for people and not for search engines, and lead on", async () => {
  isOnSale = false;
  for (const path of onTheWay) {
    const page = await open(path);
    expect(textOf(page!.querySelector("h1")), path).toBe("Event tickets");
    expect(textOf(page!.querySelector("main")), path).toContain("No tickets are on sale online at the moment");
    expect(page!.querySelector("meta[name=robots]")?.getAttribute("content"), path).toBe("noindex");
    expect(links(page), path).toEqual(["/events", "/", "/contact?subject=Event%20tickets", "tel:0290001111"]);
  }
  isOnSale = true;
});

test("API-9: an order's page opens by the key of its link alone", async () => {
  const row = rowOf("/ticket-orders/:id");
  expect([row.access, row.queryParameters, row.isIndexed]).toEqual(["key", ["key"], false]);
  const params = { id: heldOrder.id };
  expect(await open(row.path, { params })).toBeNull();
  expect(await open(row.path, { params, query: { key: "another" } })).toBeNull();
  const page = await open(row.path, { params, query: { key: "the-key" } });
  expect(textOf(page!.querySelector("h2"))).toBe("Your seats are held");
});

test("PAGE-5, TIC-1: the page of an event leads to its tickets, where it has any and is not over", async () => {
  const bookingOf = async (slug: string) => {
    const page = await open("/events/:slug", { params: { slug } });
    const link = [...page!.querySelectorAll("main a")].find((one) => textOf(one) === "Book tickets");
    return [link?.getAttribute("href"), textOf(page!.querySelector("aside")).includes("From $50.00 a ticket")];
  };
  expect(await bookingOf("charity-dinner")).toEqual(["/ticketAbout?event=charity-dinner", true]);
  expect(await bookingOf("packing-day")).toEqual([undefined, false]);
});
