import type { FastifyInstance } from "fastify";
import { accepted, acceptedPage } from "#shared/contract/envelope.ts";
import { AppError } from "#shared/errors.ts";
import { mount } from "#shared/http/mount.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import type { Organisation } from "#shared/organisation.ts";
import { homeOnWire, type WrittenPageType } from "../content.ts";
import {
  findHomeCall,
  findWorldCall,
  listEventsCall,
  listGalleryCall,
  listGeneralPagesCall,
  listSiteInfoCall,
} from "../contract.ts";
import { isServiceType } from "../services.ts";
import { listEvents } from "./events.ts";
import { listGallery } from "./gallery.ts";
import { findHome } from "./home.ts";
import { findService, findWrittenPage } from "./written-pages.ts";

type ContentOptions = CoreServices<"database" | "now"> & {
  readonly organisation: () => Organisation;
};

/** Rows per answer unless the call sets a limit. */
const ROWS = 50;

export async function contentRoutes(app: FastifyInstance, { database, organisation, now }: ContentOptions) {
  mount(app, findHomeCall, async () => accepted(homeOnWire(await findHome(database))));

  mount(app, listGeneralPagesCall, async ({ body: { type } }) => {
    if (!isServiceType(type)) return accepted(await listWritten(type));
    const service = await findService(database, type);
    if (service === null) return accepted([]);
    const { title, html, picture } = service;
    return accepted([{ title, description: html, image: picture.address }]);
  });

  mount(app, findWorldCall, async ({ params }) => {
    if (params.organisation !== organisation().slug) throw new AppError("not_found");
    return accepted(await listWritten("world"));
  });

  mount(app, listEventsCall, async ({ query }) => {
    const events = await listEvents(database, { limit: rows(query.limit), after: query.after, now: now() });
    if (events === null) throw unknownCursor();
    const items = events.items.map(({ summary, picture, startsAt, endsAt, ...event }) => ({
      ...event,
      description: summary,
      image: picture.address,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    }));
    return acceptedPage({ ...events, items });
  });

  mount(app, listGalleryCall, async ({ query }) => {
    const pictures = await listGallery(database, { limit: rows(query.limit), after: query.after });
    if (pictures === null) throw unknownCursor();
    const items = pictures.items.map(({ picture, alt: _, ...item }) => ({ ...item, image: picture.address }));
    return acceptedPage({ ...pictures, items });
  });

  mount(app, listSiteInfoCall, async () => {
    const { phone, email, address } = organisation();
    return accepted([{ phone, email, address }]);
  });

  async function listWritten(type: WrittenPageType) {
    const page = await findWrittenPage(database, type);
    if (page === null) return [];
    const { title, html, picture, links } = page;
    return [{ title, description: html, image: picture?.address ?? "", links: [...links] }];
  }
}

const rows = (limit: string | undefined) => (limit === undefined ? ROWS : Number(limit));

function unknownCursor(): AppError {
  return new AppError("invalid_input", { fields: { after: ["must be the 'next' of an earlier answer"] } });
}
