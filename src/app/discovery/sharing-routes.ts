import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { DAY_MS } from "#shared/day-length.ts";
import type { Organisation } from "#shared/organisation.ts";
import { findPage, type Page, type PageHead, type PageReads } from "#shared/pages/page.ts";
import { paths } from "#shared/paths.ts";
import { createPageCache } from "../rendering/page-cache.ts";

type SharingPicture = { readonly png: Buffer; readonly tag: string };

type SharingOptions = {
  readonly pages: readonly Page[];
  readonly publicUrl: string;
  readonly organisation: () => Organisation;
  readonly reads: PageReads;
  readonly onContentChanged: (drop: () => void) => void;
  readonly drawSharingPicture: DrawSharingPicture;
};

/** Draws the PNG for a page with this head. */
export type DrawSharingPicture = (head: PageHead, organisation: Organisation) => Promise<Buffer>;

/** About six megabytes. Links shared now are requested again and again. */
const MAX_PICTURES = 60;
/** Pictures don't depend on the time, and drawing one takes more than 100 ms. */
const MAX_AGE_MS = DAY_MS;

/** `/sharing/<path>.png`: the picture that messengers show for a page (NAV-9); for the home page `home.png`. */
export function serveSharingPictures(app: FastifyInstance, options: SharingOptions): void {
  const { pages, publicUrl, organisation, reads, onContentChanged, drawSharingPicture } = options;
  const cache = createPageCache<SharingPicture>({
    maximum: MAX_PICTURES,
    maxAgeMs: MAX_AGE_MS,
    onStale: (path, error) => app.log.warn({ err: error, page: path }, "could not redraw a sharing picture"),
  });
  onContentChanged(cache.drop);

  const drawPage = async (path: string): Promise<SharingPicture | null> => {
    const found = findPage(pages, path);
    const data = await found?.page.load(reads, { params: found.params }, organisation());
    if (found === undefined || data == null) return null;
    const head = found.page.head(data, { organisation: organisation(), publicUrl, path });
    const png = await drawSharingPicture(head, organisation());
    return { png, tag: `"${createHash("sha256").update(png).digest("base64url").slice(0, 22)}"` };
  };

  app.get<{ Params: { "*": string } }>("/sharing/*", { schema: { hide: true } as object }, async (request, reply) => {
    const [, name] = /^([a-zA-Z0-9/-]{1,200})\.png$/.exec(request.params["*"]) ?? [];
    const path = name === "home" ? paths.home : `/${name}`;
    const picture = name === undefined ? null : await cache.get(path, () => drawPage(path));
    if (picture === null) return reply.callNotFound();
    reply.headers({ etag: picture.tag, "cache-control": "public, max-age=86400, stale-while-revalidate=604800" });
    // Made to be shown by messengers and other sites.
    reply.header("cross-origin-resource-policy", "cross-origin");
    if (request.headers["if-none-match"]?.includes(picture.tag)) return reply.code(304).send();
    return reply.type("image/png").send(picture.png);
  });
}
