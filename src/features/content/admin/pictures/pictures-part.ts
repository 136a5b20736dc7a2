import type { FastifyInstance } from "fastify";
import type { AdminPart } from "#admin/feature.ts";
import type { SearchPart } from "#admin/search.ts";
import { listPictureNames, listPictures, toJson } from "../../server/pictures/library.ts";
import { picturesAuditWords } from "../audit-words.ts";
import type { ContentAdminServices } from "../content-services.ts";
import { addAction, addRoute } from "./add-pictures.ts";
import { pictureActions } from "./picture-actions.ts";
import { pictureReads } from "./picture-reads.ts";

/** The library of pictures. */
export function picturesPart(services: ContentAdminServices): AdminPart {
  const { database } = services;
  const add = addRoute(services);
  return {
    reads: pictureReads(services),
    actions: [addAction(services), ...pictureActions(services)],
    routes: (admin) => {
      add(admin);
      addChooserRoute(admin, services);
    },
    search: [searchPart(services)],
    auditWords: picturesAuditWords,
    auditSubjects: {
      pictures: {
        label: "picture",
        group: "Pictures",
        path: (hash) => `/admin/pictures/${hash}`,
        listNames: (hashes) => listPictureNames(database, hashes),
        find: async (text) => (await listPictures(database, { q: text, limit: 20, offset: 0 })).map(({ hash }) => hash),
      },
    },
  };
}

const PICTURES_AT_ONCE = 24;
const MAX_PAGES = 1000;

/** The pictures to choose from, as JSON: by their names, the newest first. */
function addChooserRoute(admin: FastifyInstance, { database }: ContentAdminServices): void {
  admin.get<{ Querystring: { q?: unknown; page?: unknown } }>(
    "/admin/pictures.json",
    { config: { access: "content.see" } },
    async ({ query }) => {
      const q = typeof query.q === "string" ? query.q.slice(0, 200) : "";
      const page = Math.min(Math.max(Math.trunc(Number(query.page)) || 1, 1), MAX_PAGES);
      const filter = { q, limit: PICTURES_AT_ONCE, offset: (page - 1) * PICTURES_AT_ONCE };
      const found = await listPictures(database, filter);
      return { pictures: found.slice(0, PICTURES_AT_ONCE).map(toJson), hasMore: found.length > PICTURES_AT_ONCE };
    },
  );
}

const MAX_HITS = 5;

const searchPart = ({ database }: ContentAdminServices): SearchPart => ({
  right: "content.see",
  find: async (text) => {
    const found = await listPictures(database, { q: text, limit: MAX_HITS, offset: 0 });
    const hits = found.slice(0, MAX_HITS).map(({ hash, name, width, height }) => ({
      label: name,
      detail: `${width} × ${height}`,
      path: `/admin/pictures/${hash}`,
    }));
    return [{ title: "Pictures", icon: "image", hits }];
  },
});
