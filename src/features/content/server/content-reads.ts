import type { Connection } from "#shared/database/connect.ts";
import type { PageReads } from "#shared/pages/page.ts";
import type { ContentReads } from "../content.ts";
import { listEvents } from "./events.ts";
import { listGallery } from "./gallery.ts";
import { findHome, findTiles } from "./home.ts";
import { findIntroduction } from "./introductions.ts";
import { findArticle, listNews } from "./news.ts";
import { listChanges } from "./page-changes.ts";
import type { Placeholders } from "./placeholders.ts";
import { followRedirect } from "./redirects/redirects.ts";
import { findOwnPage, findService, findWrittenPage } from "./written-pages.ts";

/** Rows per page. The first article or picture takes the room of four, so that the first page ends with a full row. */
const EVENTS = 24;
const ARTICLES = 6;
const PICTURES = 12;

export function contentReads(
  database: Connection,
  now: () => Date,
  placeholders: () => Placeholders = () => ({}),
): ContentReads & Pick<PageReads, "listChanges" | "findRedirect"> {
  return {
    findHome: () => findHome(database),
    findTiles: () => findTiles(database),
    findIntroduction: (page) => findIntroduction(database, page),
    findWrittenPage: (type) => findWrittenPage(database, type),
    findService: (type) => findService(database, type),
    findOwnPage: (slug) => findOwnPage(database, slug),
    findLegalPage: (type) => findWrittenPage(database, type, placeholders()),
    listEvents: (after) => listEvents(database, { limit: EVENTS, now: now(), after }),
    listNews: (after) => listNews(database, { limit: ARTICLES, after }),
    findArticle: (slug) => findArticle(database, slug),
    listGallery: (after) => listGallery(database, { limit: PICTURES, after }),
    listChanges: () => listChanges(database),
    findRedirect: (pathAndQuery) => followRedirect(database, pathAndQuery),
  };
}
