import { excerpt } from "#features/content/excerpt.ts";
import { Prose } from "#features/content/ui/prose.tsx";
import type { TicketedEvent } from "#features/tickets/reads.ts";
import { AboutPage } from "#features/tickets/ui/about/about-page.tsx";
import { CheckoutPage } from "#features/tickets/ui/checkout/checkout-page.tsx";
import { OrderPage } from "#features/tickets/ui/order/order-page.tsx";
import { SelectTickets } from "#features/tickets/ui/select/select-tickets.tsx";
import { SelectPage } from "#features/tickets/ui/select-page.tsx";
import { TicketHead } from "#features/tickets/ui/ticket-head.tsx";
import type { EventDetails } from "#shared/events/event.ts";
import { sayTimes } from "#shared/events/event-times.ts";
import { eventPath, paths, ticketOrderPath, ticketPath } from "#shared/paths.ts";
import type { Country } from "#shared/places/contract.ts";
import { DEFAULT_COUNTRY } from "#shared/places/ui/form-place.tsx";
import { eventData, ticketOffers } from "./discovery/event-data.ts";
import { NoTicketsPage } from "./no-tickets-page.tsx";
import { island } from "./rendering/island.tsx";
import { type Page, type PageAddress, type PageHead, type PageServices, page } from "./rendering/page.ts";
import { Brand } from "./shell/brand.tsx";

/** The event whose tickets are sold; or none, and then perhaps the event that was asked for and sells none. */
type Found = { readonly sold: TicketedEvent | null; readonly free: EventDetails | null };

/** Null for an event that is not there. Without a name, the next event that sells tickets. */
async function load(
  { findTicketedEvent, findEvent }: PageServices,
  { asked = {} }: PageAddress,
): Promise<Found | null> {
  const slug = asked.event || undefined;
  if (slug !== undefined && !/^[a-z0-9-]+$/.test(slug)) return null;
  const sold = await findTicketedEvent(slug);
  if (sold !== null || slug === undefined) return { sold, free: null };
  const free = await findEvent(slug);
  return free === null ? null : { sold, free };
}

/** The head of a page for an event; a page with nothing on sale is for people who come to it, and for no search engine. */
function headOf(
  { sold }: Found,
  page: Parameters<typeof ticketPath>[0],
  of: (sold: TicketedEvent) => PageHead,
): PageHead {
  if (sold === null) {
    const description = "No tickets are on sale online just now. See what is coming up, where and when.";
    return { title: "Event tickets", description, isIndexed: false };
  }
  const { slug } = sold.event;
  return { address: ticketPath(page, slug), sharedAs: eventPath(slug), picture: sold.event.picture, ...of(sold) };
}

/** What the three pages on the way to a ticket have in common. */
const onTheWay = { load, hasHeader: false, changesByTheMinute: true, asks: ["event"] } as const;

export const ticketPages: readonly Page[] = [
  page<Found>({
    ...onTheWay,
    path: paths.ticketAbout,
    head: (found, context) =>
      headOf(found, "ticketAbout", ({ event, offer }) => ({
        title: `${event.title}: tickets`,
        description: excerpt(`${sayTimes(event)}. ${event.summary}`),
        structured: [
          {
            ...eventData(event, { ...context, path: eventPath(event.slug) }),
            ...ticketOffers(offer, context.publicUrl),
          },
        ],
      })),
    body: ({ sold, free }, { organisation }) => {
      if (sold === null) return <NoTicketsPage event={free} organisation={organisation} />;
      const { html } = sold.event;
      const about = html === "" ? null : <Prose html={html} />;
      return <AboutPage {...sold} brand={<Brand organisation={organisation} onDeep />} about={about} />;
    },
  }),
  page<Found>({
    ...onTheWay,
    path: paths.selectTickets,
    head: (found) =>
      headOf(found, "selectTickets", ({ event }) => ({
        title: "Select tickets",
        description: `Choose your tickets for ${event.title}: what each costs, and what they come to.`,
      })),
    body: ({ sold, free }, { organisation }) =>
      sold === null ? (
        <NoTicketsPage event={free} organisation={organisation} />
      ) : (
        <SelectPage
          event={sold.event}
          organisation={organisation}
          brand={<Brand organisation={organisation} onDeep />}
          choice={island("SelectTickets", SelectTickets, { offer: sold.offer })}
        />
      ),
    bodyClass: "is-form",
    isIndexed: false,
  }),
  page<Found & { readonly countries: readonly Country[] }>({
    ...onTheWay,
    path: paths.ticketsCheckout,
    load: async (services, address) => {
      const found = await load(services, address);
      return found && { ...found, countries: (await services.findPlaces(DEFAULT_COUNTRY)).countries };
    },
    head: (found) =>
      headOf(found, "ticketsCheckout", ({ event }) => ({
        title: "Tickets checkout",
        description: `Pay for your tickets to ${event.title} by card or PayPal. They come by email.`,
      })),
    body: ({ sold, free, countries }, { organisation }) => {
      if (sold === null) return <NoTicketsPage event={free} organisation={organisation} />;
      const { name, abn, phone, email, registration } = organisation;
      const { offer } = sold;
      return (
        <>
          <TicketHead brand={<Brand organisation={organisation} onDeep />} />
          {island("CheckoutPage", CheckoutPage, {
            organisation: { name, abn, phone, email, registration },
            offer,
            slug: offer.slug,
            countries: countries.map(({ name }) => name),
          })}
        </>
      );
    },
    bodyClass: "is-form",
    takesPayments: true,
    isIndexed: false,
  }),
  page({
    path: ticketOrderPath(":id"),
    load: async ({ findTicketOrder }, { params, asked = {} }) => findTicketOrder(params.id!, asked.key ?? ""),
    head: () => ({
      title: "Your tickets",
      description: "How your order stands, its tickets, and what you can do about them.",
    }),
    body: (order, { organisation: { phone } }) => island("OrderPage", OrderPage, { order, organisation: { phone } }),
    bodyClass: "is-form",
    needsKey: true,
    asks: ["key"],
    isIndexed: false,
  }),
];
