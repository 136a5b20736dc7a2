import type { CaptchaReads } from "#shared/captcha/ui/captcha-box.tsx";
import type { EventReads } from "#shared/events/event.ts";
import { eventData } from "#shared/events/event-data.ts";
import { formatTimes } from "#shared/events/event-times.ts";
import { excerpt } from "#shared/excerpt.ts";
import { island } from "#shared/pages/island.tsx";
import { type Page, page } from "#shared/pages/page.ts";
import { articlePath, eventPath, paths } from "#shared/paths.ts";
import { articleData } from "../article-data.ts";
import type { ContentReads } from "../content.ts";
import { fillInNames, type TileTexts } from "../home-texts.ts";
import { ContactForm } from "./contact/contact-form.tsx";
import { ContactPage } from "./contact/contact-page.tsx";
import { EventPage } from "./events/event-page.tsx";
import { EventsPage } from "./events/events-page.tsx";
import { GalleryPage } from "./gallery/gallery-page.tsx";
import { HomePage } from "./home/home-page.tsx";
import { ArticlePage } from "./news/article-page.tsx";
import { NewsPage } from "./news/news-page.tsx";
import { writtenPages } from "./written-pages.tsx";

declare module "#shared/pages/page.ts" {
  interface PageReads extends ContentReads, EventReads, CaptchaReads {}
}

const home = { label: "Home", path: paths.home };
const events = { label: "Events", path: paths.events };
const news = { label: "News and articles", path: paths.news };

export const contentPages: readonly Page[] = [
  page({
    path: paths.home,
    load: ({ findHome }) => findHome(),
    head: ({ texts }, { organisation }) => {
      const { searchTitle: title, searchDescription: description } = fillInNames(texts, organisation);
      return { title, description };
    },
    body: (home, { organisation, brand }) => <HomePage home={home} organisation={organisation} brand={brand} />,
  }),
  page({
    path: paths.events,
    load: async ({ listEvents }, { after }) => withPlace(await listEvents(after), after),
    head: ({ list }, { organisation: { name } }) => ({
      title: "Events",
      description: `Upcoming and past events by ${name}, in Australia and online.`,
      picture: list.items[0]?.picture ?? null,
    }),
    body: ({ list, isFirst }, { trail }) => <EventsPage events={list} isFirst={isFirst} trail={trail} />,
    isPaged: true,
  }),
  page({
    path: eventPath(":slug"),
    load: async ({ findEvent, findBooking }, { params }) => {
      const event = await findEvent(params.slug!);
      return event && { event, booking: (await findBooking?.(event)) ?? null };
    },
    head: ({ event }, context) => ({
      title: event.title,
      description: excerpt(`${formatTimes(event)}. ${event.summary}`),
      picture: event.picture,
      trail: [home, events, { label: event.title, path: context.path }],
      structured: [eventData(event, context)],
    }),
    body: ({ event, booking }, { trail }) => <EventPage event={event} trail={trail} booking={booking} />,
  }),
  ...writtenPages,
  page({
    path: paths.news,
    load: ({ listNews, findTiles }, { after }) => withTiles(listNews(after), findTiles(), after),
    head: (_, { organisation: { name } }) => ({
      title: "News and articles",
      description: `What donations to ${name} do: news and articles, newest first.`,
      trail: [home, news],
    }),
    body: ({ list, isFirst, tiles }, { organisation, trail }) => (
      <NewsPage news={list} tiles={fillInNames(tiles, organisation)} isFirst={isFirst} trail={trail} />
    ),
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
    load: ({ listGallery, findTiles }, { after }) => withTiles(listGallery(after), findTiles(), after),
    head: ({ list }, { organisation: { name } }) => ({
      title: "Gallery",
      description: `Pictures of what donations to ${name} make possible, newest first.`,
      picture: list.items[0]?.picture ?? null,
    }),
    body: ({ list, isFirst, tiles }, { organisation, trail }) => (
      <GalleryPage gallery={list} tiles={fillInNames(tiles, organisation)} isFirst={isFirst} trail={trail} />
    ),
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
];

/** Adds whether this is the list's first page. */
function withPlace<List>(list: List | null, after: string | undefined) {
  return list === null ? null : { list, isFirst: after === undefined };
}

/** With the words of the tiles below the list. */
async function withTiles<List>(list: Promise<List | null>, tiles: Promise<TileTexts>, after: string | undefined) {
  const [found, texts] = await Promise.all([list, tiles]);
  const shown = withPlace(found, after);
  return shown && { ...shown, tiles: texts };
}
