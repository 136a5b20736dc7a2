import type { Database } from "#shared/database/connect.ts";
import { findEvent } from "#shared/events/find-event.ts";
import type { ContentReads } from "../content.ts";
import { listEvents } from "./events.ts";
import { listGallery } from "./gallery.ts";
import { findHome } from "./home.ts";
import { findArticle, listNews } from "./news.ts";
import { listChanges } from "./page-changes.ts";
import type { Placeholders } from "./placeholders.ts";
import { findWrittenPage } from "./written-pages.ts";

/** Rows that a page of a list shows. The first article or picture is four cards large, so the first page ends with a full row. */
const EVENTS = 24;
const ARTICLES = 6;
const PICTURES = 12;

/** What pages read of the content, from this database and by this clock. */
export function contentReads(
  database: Database,
  now: () => Date,
  placeholders: () => Placeholders = () => ({}),
): ContentReads {
  return {
    findHome: () => findHome(database),
    findWrittenPage: (type) => findWrittenPage(database, type),
    findLegalPage: (type) => findWrittenPage(database, type, placeholders()),
    listEvents: (after) => listEvents(database, { limit: EVENTS, now: now(), after }),
    findEvent: (slug) => findEvent(database, slug, now()),
    listNews: (after) => listNews(database, { limit: ARTICLES, after }),
    findArticle: (slug) => findArticle(database, slug),
    listGallery: (after) => listGallery(database, { limit: PICTURES, after }),
    listChanges: () => listChanges(database),
  };
}
