import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import type { Page, PageHead, PageServices } from "../rendering/page.ts";
import { createPageCache } from "../rendering/page-cache.ts";

type SharingPicture = { readonly png: Buffer; readonly tag: string };

type SharingOptions = {
  readonly pages: readonly Page[];
  readonly publicUrl: string;
  readonly organisation: () => Organisation;
  readonly services: PageServices;
  readonly onContentChanged: (drop: () => void) => void;
  readonly drawSharingPicture: DrawSharingPicture;
};

/** Draws the PNG for a page with this head. */
export type DrawSharingPicture = (head: PageHead, organisation: Organisation) => Promise<Buffer>;

/** Six megabytes or so; what is shared at the moment is asked for again and again. */
const MOST_PICTURES = 60;
/** Nothing in them depends on the hour, and drawing one takes a tenth of a second and more. */
const MAX_AGE_MS = 86_400_000;

/** `/sharing/<path>.png`: the picture that messengers show for a page (NAV-9); home's is called 'home'. */
export function serveSharingPictures(app: FastifyInstance, options: SharingOptions): void {
  const { pages, publicUrl, organisation, services, onContentChanged, drawSharingPicture } = options;
  const cache = createPageCache<SharingPicture>({
    maximum: MOST_PICTURES,
    maxAgeMs: MAX_AGE_MS,
    onStale: (path, error) => app.log.warn({ err: error, page: path }, "a sharing picture could not be drawn anew"),
  });
  onContentChanged(cache.drop);

  const drawPage = async (path: string): Promise<SharingPicture | null> => {
    const found = findPage(pages, path);
    const data = await found?.page.load(services, { params: found.params }, organisation());
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
    // Messengers and other sites show it: it is made to be taken.
    reply.header("cross-origin-resource-policy", "cross-origin");
    if (request.headers["if-none-match"]?.includes(picture.tag)) return reply.code(304).send();
    return reply.type("image/png").send(picture.png);
  });
}

type Found = { readonly page: Page; readonly params: Readonly<Record<string, string>> };

/** The row of the table that answers this path, as the router would choose it: a plain path before one with open parts. */
function findPage(pages: readonly Page[], path: string): Found | undefined {
  const plain = pages.find((page) => page.path === path);
  if (plain !== undefined) return { page: plain, params: {} };
  for (const page of pages.filter((one) => one.path.includes(":"))) {
    const pattern = new RegExp(`^${page.path.replace(/:(\w+)/g, "(?<$1>[a-z0-9-]+)")}$`);
    const params = pattern.exec(path)?.groups;
    if (params !== undefined) return { page, params };
  }
  return undefined;
}
