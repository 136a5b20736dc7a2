import { excerpt } from "#features/content/excerpt.ts";
import { ContactForm } from "#features/content/ui/contact/contact-form.tsx";
import { ContactPage } from "#features/content/ui/contact/contact-page.tsx";
import { EventPage } from "#features/content/ui/events/event-page.tsx";
import { EventsPage } from "#features/content/ui/events/events-page.tsx";
import { GalleryPage } from "#features/content/ui/gallery/gallery-page.tsx";
import { HomePage } from "#features/content/ui/home/home-page.tsx";
import { ArticlePage } from "#features/content/ui/news/article-page.tsx";
import { NewsPage } from "#features/content/ui/news/news-page.tsx";
import { DonationPage } from "#features/donations/ui/donate/donation-page.tsx";
import { HistoryPage } from "#features/donations/ui/history/history-page.tsx";
import type { TicketEvent } from "#features/tickets/contract.ts";
import { sayPriceFrom } from "#features/tickets/sale.ts";
import { VolunteerForm } from "#features/volunteering/ui/apply/volunteer-form.tsx";
import { VolunteerPage } from "#features/volunteering/ui/apply/volunteer-page.tsx";
import { sayTimes } from "#shared/events/event-times.ts";
import { articlePath, eventPath, paths, ticketPath } from "#shared/paths.ts";
import { DEFAULT_COUNTRY } from "#shared/places/ui/form-place.tsx";
import { ProfileLayout } from "#shared/ui/profile-layout.tsx";
import { applicantPages } from "./applicant-pages.tsx";
import { contentPages } from "./content-pages.tsx";
import { articleData } from "./discovery/article-data.ts";
import { eventData } from "./discovery/event-data.ts";
import { entrancePages } from "./entrance-pages.tsx";
import { PartsPage } from "./parts/parts-page.tsx";
import { profilePages } from "./profile-pages.tsx";
import { island } from "./rendering/island.tsx";
import { type Page, page } from "./rendering/page.ts";
import { ticketPages } from "./ticket-pages.tsx";

const nothing = async () => ({});
const home = { label: "Home", path: paths.home };
const events = { label: "Events", path: paths.events };
const news = { label: "News and articles", path: paths.news };

/** Every page there is. Fastify is the only router; links are plain links. */
export const pages: readonly Page[] = [
  page({
    path: paths.home,
    load: ({ findHome }) => findHome(),
    head: (_, { organisation: { name, supports } }) => ({
      title: `${name}: Helping Today. Shaping Tomorrow`,
      description: `${name} raises donations in Australia for ${supports}: ambulances, hospitals, schools, homes, meals and flood relief.`,
    }),
    body: (home, { organisation }) => <HomePage home={home} organisation={organisation} />,
  }),
  page({
    path: paths.events,
    load: async ({ listEvents }, { after }) => withPlace(await listEvents(after), after),
    head: ({ list }, { organisation: { name } }) => ({
      title: "Events",
      description: `What ${name} invites you to: events in Australia and online, and those that have been.`,
      picture: list.items[0]?.picture ?? null,
    }),
    body: ({ list, isFirst }, { trail }) => <EventsPage events={list} isFirst={isFirst} trail={trail} />,
    isPaged: true,
  }),
  page({
    path: eventPath(":slug"),
    load: async ({ findEvent, findOffer }, { params }) => {
      const event = await findEvent(params.slug!);
      return event && { event, offer: event.isOver ? null : await findOffer(event) };
    },
    head: ({ event }, context) => ({
      title: event.title,
      description: excerpt(`${sayTimes(event)}. ${event.summary}`),
      picture: event.picture,
      trail: [home, events, { label: event.title, path: context.path }],
      structured: [eventData(event, context)],
    }),
    body: ({ event, offer }, { trail }) => <EventPage event={event} trail={trail} booking={bookingOf(offer)} />,
  }),
  ...contentPages,
  page({
    path: paths.news,
    load: async ({ listNews }, { after }) => withPlace(await listNews(after), after),
    head: (_, { organisation: { name } }) => ({
      title: "News and articles",
      description: `What gifts to ${name} are doing: news and articles, the newest first.`,
      trail: [home, news],
    }),
    body: ({ list, isFirst }, { trail }) => <NewsPage news={list} isFirst={isFirst} trail={trail} />,
    isPaged: true,
  }),
  page({
    path: articlePath(":slug"),
    load: ({ findArticle }, { params }) => findArticle(params.slug!),
    head: (article, context) => ({
      title: article.title,
      description: excerpt(article.excerpt),
      picture: article.picture,
      trail: [home, news, { label: article.title, path: context.path }],
      structured: [articleData(article, context)],
      isArticle: true,
    }),
    body: (article, { trail }) => <ArticlePage article={article} trail={trail} />,
  }),
  page({
    path: paths.gallery,
    load: async ({ listGallery }, { after }) => withPlace(await listGallery(after), after),
    head: ({ list }, { organisation: { name } }) => ({
      title: "Gallery",
      description: `Pictures of what gifts to ${name} make possible, the newest first.`,
      picture: list.items[0]?.picture ?? null,
    }),
    body: ({ list, isFirst }, { trail }) => <GalleryPage gallery={list} isFirst={isFirst} trail={trail} />,
    isPaged: true,
  }),
  page({
    path: paths.contact,
    load: async ({ captcha }) => ({ captcha }),
    head: (_, { organisation: { name, phone } }) => ({
      title: "Contact Us",
      description: `Send ${name} a message, or call the helpline on ${phone}.`,
      trail: [home, { label: "Pages" }, { label: "Contact Us", path: paths.contact }],
    }),
    body: ({ captcha }, { organisation: { phone, email, address }, trail }) => (
      <ContactPage
        organisation={{ phone, email, address }}
        trail={trail}
        form={island("ContactForm", ContactForm, { organisation: { phone, email }, captcha })}
      />
    ),
    bodyClass: "is-form",
    hasCaptcha: true,
  }),
  page({
    path: paths.volunteer,
    load: async ({ captcha, findPlaces }) => ({ captcha, places: await findPlaces(DEFAULT_COUNTRY) }),
    head: (_, { organisation: { name } }) => ({
      title: "Volunteer Application",
      description: `Volunteer with ${name}: what volunteers do, and the application in four short steps.`,
    }),
    body: ({ captcha, places }, { organisation: { name, phone, email } }) => (
      <VolunteerPage
        organisation={{ name, phone, email }}
        form={island("VolunteerForm", VolunteerForm, { organisation: { name, phone, email }, captcha, places })}
      />
    ),
    bodyClass: "is-form",
    hasCaptcha: true,
  }),
  ...entrancePages,
  page({
    path: paths.donation,
    load: nothing,
    head: (_, { organisation: { name } }) => ({
      title: "Donate",
      description: `Give to ${name} by card in four short steps, or by bank deposit. Receipts come by e-mail.`,
    }),
    body: (_, { organisation: { name, abn, phone, email, donationsEmail, banks, registration } }) =>
      island("DonationPage", DonationPage, {
        organisation: { name, abn, phone, email, donationsEmail, banks, registration },
      }),
    bodyClass: "is-form",
    takesPayments: true,
    needsSessionOrGuest: true,
    // Whoever has no cookies, as search engines, gets the log-in.
    isIndexed: false,
  }),
  ...profilePages,
  ...applicantPages,
  page({
    path: paths.donationHistory,
    load: async ({ findHistory }, { asked = {} }, _, user) => {
      const history = await findHistory(user!, asked);
      return history && { user: user!, history };
    },
    head: (_, { organisation: { name } }) => ({
      title: "Donation History",
      description: `What you have given to ${name}, with a receipt for each donation and a summary for any period.`,
    }),
    body: ({ user, history }, { path }) => (
      <ProfileLayout path={path} user={user}>
        <HistoryPage history={history} isEmailConfirmed={user.emailVerifiedAt !== null} />
      </ProfileLayout>
    ),
    bodyClass: "is-form",
    needsSession: true,
    asks: ["startDate", "endDate", "after", "before", "paper"],
    isIndexed: false,
  }),
  ...ticketPages,
  page({
    path: paths.parts,
    load: nothing,
    head: () => ({ title: "Parts", description: "Every part that pages are made of, in every state." }),
    body: () => <PartsPage />,
    isIndexed: false,
    isForDevelopers: true,
  }),
];

/** The way to an event's tickets. The page is kept, so what is left of them, and whether anything is, stands there alone. */
function bookingOf(offer: TicketEvent | null) {
  if (offer === null) return undefined;
  return { href: ticketPath("ticketAbout", offer.slug), label: "Book tickets", price: sayPriceFrom(offer.types) };
}

/** A piece of a list, and whether it is the list's first. */
function withPlace<List>(list: List | null, after: string | undefined) {
  return list === null ? null : { list, isFirst: after === undefined };
}
