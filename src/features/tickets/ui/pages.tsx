import type { EventDetails, EventReads } from "#shared/events/event.ts";
import { eventData } from "#shared/events/event-data.ts";
import { formatTimes } from "#shared/events/event-times.ts";
import { excerpt } from "#shared/excerpt.ts";
import { island } from "#shared/pages/island.tsx";
import { type Page, type PageAddress, type PageHead, type PageReads, page } from "#shared/pages/page.ts";
import { eventPath, paths, ticketOrderPath, ticketPath, waitingEntryPath, waitingListForm } from "#shared/paths.ts";
import type { Country, PlaceReads } from "#shared/places/contract.ts";
import { DEFAULT_COUNTRY } from "#shared/places/ui/form-place.tsx";
import { Brand } from "#shared/ui/brand.tsx";
import { Prose } from "#shared/ui/prose.tsx";
import type { TicketType } from "../contract.ts";
import type { TicketedEvent, TicketReads } from "../reads.ts";
import { ticketOffers } from "../ticket-offers.ts";
import { AboutPage } from "./about/about-page.tsx";
import { CheckoutPage } from "./checkout/checkout-page.tsx";
import { NoTicketsPage } from "./no-tickets-page.tsx";
import { OrderPage } from "./order/order-page.tsx";
import { SelectTickets } from "./select/select-tickets.tsx";
import { SelectPage } from "./select-page.tsx";
import { TicketHead } from "./ticket-head.tsx";
import { JoinWaitingList } from "./waiting/join-waiting-list.tsx";
import { WaitingListPage, WaitingPlacePage } from "./waiting/waiting-pages.tsx";
import { WaitingPlace } from "./waiting/waiting-place.tsx";

declare module "#shared/pages/page.ts" {
  interface PageReads extends TicketReads, EventReads, PlaceReads {}
}

/** `sold`: the event whose tickets are on sale. `free`: the requested event, if it sells none. */
type Found = { readonly sold: TicketedEvent | null; readonly free: EventDetails | null };

/** Null if the requested event does not exist. Without a slug: the next event that sells tickets. */
async function load({ findTicketedEvent, findEvent }: PageReads, { query = {} }: PageAddress): Promise<Found | null> {
  const slug = query.event || undefined;
  if (slug !== undefined && !/^[a-z0-9-]+$/.test(slug)) return null;
  const sold = await findTicketedEvent(slug, query.key);
  if (sold !== null || slug === undefined) return { sold, free: null };
  const free = await findEvent(slug);
  return free === null ? null : { sold, free };
}

/** The head of an event's page; search engines do not index it while nothing is on sale. */
function headOf(
  { sold }: Found,
  page: Parameters<typeof ticketPath>[0],
  of: (sold: TicketedEvent) => PageHead,
): PageHead {
  if (sold === null) {
    const description = "No tickets are on sale online at the moment. See what is coming up, where and when.";
    return { title: "Event tickets", description, isIndexed: false };
  }
  const { slug } = sold.event;
  return { address: ticketPath(page, slug), sharedAs: eventPath(slug), picture: sold.event.picture, ...of(sold) };
}

const onTheWay = { load, hasHeader: false, caching: "none", queryParameters: ["event", "key"] } as const;

export const ticketPages: readonly Page[] = [
  page<Found>({
    ...onTheWay,
    path: paths.ticketAbout,
    head: (found, context) =>
      headOf(found, "ticketAbout", ({ event, offer }) => ({
        title: `${event.title}: tickets`,
        description: excerpt(`${formatTimes(event)}. ${event.summary}`),
        structured: [
          {
            ...eventData(event, { ...context, path: eventPath(event.slug) }),
            ...ticketOffers(offer, context.publicUrl),
          },
        ],
      })),
    body: ({ sold, free }, { organisation, brand }) => {
      if (sold === null) return <NoTicketsPage event={free} organisation={organisation} />;
      const { html } = sold.event;
      const about = html === "" ? null : <Prose html={html} />;
      return <AboutPage {...sold} brand={<Brand organisation={organisation} brand={brand} onDeep />} about={about} />;
    },
  }),
  page<Found>({
    ...onTheWay,
    path: paths.selectTickets,
    head: (found) =>
      headOf(found, "selectTickets", ({ event }) => ({
        title: "Select tickets",
        description: `Choose your tickets for ${event.title}, and see the price of each and the total.`,
      })),
    body: ({ sold, free }, { organisation, brand }) =>
      sold === null ? (
        <NoTicketsPage event={free} organisation={organisation} />
      ) : (
        <SelectPage
          event={sold.event}
          organisation={organisation}
          brand={<Brand organisation={organisation} brand={brand} onDeep />}
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
        description: `Pay for your tickets to ${event.title} by card or PayPal. We send them by email.`,
      })),
    body: ({ sold, free, countries }, { organisation, brand }) => {
      if (sold === null) return <NoTicketsPage event={free} organisation={organisation} />;
      const { name, abn, phone, email } = organisation;
      const registration = { ...organisation.registration, badge: brand.badge };
      const { offer } = sold;
      return (
        <>
          <TicketHead brand={<Brand organisation={organisation} brand={brand} onDeep />} />
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
  page<TicketedEvent & { readonly type: TicketType }>({
    ...onTheWay,
    path: waitingListForm,
    queryParameters: ["event", "type", "key"],
    load: async ({ findTicketedEvent }, { query = {} }) => {
      if (!/^[a-z0-9-]+$/.test(query.event ?? "")) return null;
      const found = await findTicketedEvent(query.event, query.key);
      const type = found?.offer.types.find(({ code }) => code === query.type);
      return found !== null && type !== undefined ? { ...found, type } : null;
    },
    head: ({ event, type }) => ({
      title: "Waiting list",
      description: `Wait for ${type.title} tickets to ${event.title}, which are sold out now.`,
      isIndexed: false,
    }),
    body: ({ event, offer, type }, { organisation, brand }) => (
      <WaitingListPage
        event={event}
        type={type}
        offer={offer}
        organisation={organisation}
        brand={<Brand organisation={organisation} brand={brand} onDeep />}
        form={island("JoinWaitingList", JoinWaitingList, {
          wanted: { event: offer.slug, type: type.code, access: offer.access },
          title: type.title,
          max: type.limitPerOrder,
          offerHours: offer.offerHours,
        })}
      />
    ),
    bodyClass: "is-form",
    isIndexed: false,
  }),
  page({
    path: waitingEntryPath(":id"),
    load: async ({ findWaitingEntry }, { params, query = {} }) => findWaitingEntry(params.id!, query.key ?? ""),
    head: () => ({
      title: "Your place on the waiting list",
      description: "Your place in line, and how to leave the list.",
    }),
    body: (entry) => <WaitingPlacePage entry={entry} place={island("WaitingPlace", WaitingPlace, { entry })} />,
    bodyClass: "is-form",
    access: "key",
    queryParameters: ["key"],
    isIndexed: false,
  }),
  page({
    path: ticketOrderPath(":id"),
    load: async ({ findTicketOrder }, { params, query = {} }) => findTicketOrder(params.id!, query.key ?? ""),
    head: () => ({
      title: "Your tickets",
      description: "The status of your order, its tickets, and what you can do with them.",
    }),
    body: (order, { organisation: { phone } }) => island("OrderPage", OrderPage, { order, organisation: { phone } }),
    bodyClass: "is-form",
    access: "key",
    queryParameters: ["key"],
    isIndexed: false,
  }),
];
