import type { CaptchaReads } from "#shared/captcha/ui/captcha-box.tsx";
import type { EventReads } from "#shared/events/event.ts";
import { eventData } from "#shared/events/event-data.ts";
import { formatTimes } from "#shared/events/event-times.ts";
import { excerpt } from "#shared/excerpt.ts";
import { fillInNames } from "#shared/organisation.ts";
import type { Introduction } from "#shared/pages/introduction.ts";
import { island } from "#shared/pages/island.tsx";
import { type Page, page } from "#shared/pages/page.ts";
import { articlePath, eventPath, paths } from "#shared/paths.ts";
import { articleData } from "../article-data.ts";
import type { ContentReads } from "../content.ts";
import type { TileTexts } from "../home-texts.ts";
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
    load: ({ listEvents, findIntroduction }, { after }) =>
      withIntroduction(listEvents(after), findIntroduction("events"), after),
    head: ({ list, introduction }, { organisation }) => ({
      title: "Events",
      description: fillInNames(introduction, organisation).description,
      picture: list.items[0]?.picture ?? null,
    }),
    body: ({ list, isFirst, introduction }, { trail, organisation }) => (
      <EventsPage events={list} lede={fillInNames(introduction, organisation).lede} isFirst={isFirst} trail={trail} />
    ),
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
    load: ({ listNews, findIntroduction, findTiles }, { after }) =>
      withTiles(withIntroduction(listNews(after), findIntroduction("news"), after), findTiles()),
    head: ({ introduction }, { organisation }) => ({
      title: "News and articles",
      description: fillInNames(introduction, organisation).description,
      trail: [home, news],
    }),
    body: ({ list, isFirst, introduction, tiles }, { organisation, trail }) => (
      <NewsPage
        news={list}
        lede={fillInNames(introduction, organisation).lede}
        tiles={fillInNames(tiles, organisation)}
        isFirst={isFirst}
        trail={trail}
      />
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
    load: ({ listGallery, findIntroduction, findTiles }, { after }) =>
      withTiles(withIntroduction(listGallery(after), findIntroduction("gallery"), after), findTiles()),
    head: ({ list, introduction }, { organisation }) => ({
      title: "Gallery",
      description: fillInNames(introduction, organisation).description,
      picture: list.items[0]?.picture ?? null,
    }),
    body: ({ list, isFirst, introduction, tiles }, { organisation, trail }) => (
      <GalleryPage
        gallery={list}
        lede={fillInNames(introduction, organisation).lede}
        tiles={fillInNames(tiles, organisation)}
        isFirst={isFirst}
        trail={trail}
      />
    ),
    isPaged: true,
  }),
  page({
    path: paths.contact,
    load: async ({ captcha, findIntroduction }) => ({ captcha, introduction: await findIntroduction("contact") }),
    head: ({ introduction }, { organisation }) => ({
      title: "Contact Us",
      description: fillInNames(introduction, organisation).description,
      trail: [home, { label: "Pages" }, { label: "Contact Us", path: paths.contact }],
    }),
    body: ({ captcha, introduction }, { organisation, trail }) => (
      <ContactPage
        organisation={organisation}
        lede={fillInNames(introduction, organisation).lede}
        trail={trail}
        form={island("ContactForm", ContactForm, {
          organisation: { phone: organisation.phone, email: organisation.email },
          captcha,
        })}
      />
    ),
    bodyClass: "is-form",
    hasCaptcha: true,
  }),
];

/** A page of a list, whether it is the first, and the page's introduction. */
async function withIntroduction<List>(
  found: Promise<List | null>,
  introduced: Promise<Introduction>,
  after: string | undefined,
) {
  const [list, introduction] = await Promise.all([found, introduced]);
  return list === null ? null : { list, introduction, isFirst: after === undefined };
}

/** With the words of the tiles below the list. */
async function withTiles<Shown>(found: Promise<Shown | null>, words: Promise<TileTexts>) {
  const [shown, tiles] = await Promise.all([found, words]);
  return shown && { ...shown, tiles };
}
