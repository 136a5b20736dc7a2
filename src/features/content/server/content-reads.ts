import type { Database } from "#shared/database/connect.ts";
import { findEvent } from "#shared/events/find-event.ts";
import type { ContentReads } from "../content.ts";
import { listEvents } from "./events.ts";
import { listGallery } from "./gallery.ts";
import { findHome } from "./home.ts";
import { findArticle, listNews } from "./news.ts";
import { listChanges } from "./page-changes.ts";
import { findWrittenPage } from "./written-pages.ts";

/** Rows that a page of a list shows. */
const ROWS = 24;

/** What pages read of the content, from this database and by this clock. */
export function contentReads(database: Database, now: () => Date): ContentReads {
  return {
    findHome: () => findHome(database),
    findWrittenPage: (type) => findWrittenPage(database, type),
    listEvents: (after) => listEvents(database, { limit: ROWS, now: now(), after }),
    findEvent: (slug) => findEvent(database, slug, now()),
    listNews: (after) => listNews(database, { limit: ROWS, after }),
    findArticle: (slug) => findArticle(database, slug),
    listGallery: (after) => listGallery(database, { limit: ROWS, after }),
    listChanges: () => listChanges(database),
  };
}
