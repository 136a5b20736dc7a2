import type { FastifyInstance } from "fastify";
import { DAY_MS } from "#shared/day-length.ts";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import { direction, language } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Page, PageReads } from "#shared/pages/page.ts";
import { paths, worldPath } from "#shared/paths.ts";
import { finishBytes, type PageBytes, preferredEncoding } from "../rendering/page-bytes.ts";
import type { PageCache } from "../rendering/page-cache.ts";

type SearchFilesOptions = {
  readonly pages: readonly Page[];
  readonly publicUrl: string;
  readonly organisation: () => Organisation;
  readonly brand: () => BrandFrame;
  readonly reads: Pick<PageReads, "listChanges">;
  /** The cache that is dropped when content changes. */
  readonly cache: PageCache<PageBytes>;
};

const AN_HOUR = "public, max-age=3600";

/** Serves the site map, robots.txt, the web manifest and security.txt. */
export function serveSearchFiles(app: FastifyInstance, options: SearchFilesOptions): void {
  const { publicUrl, organisation, reads, pages, cache } = options;
  const hide = { schema: { hide: true } as object };

  app.get("/sitemap.xml", hide, async (request, reply) => {
    const bytes = await cache.get("sitemap.xml", async (last) => {
      const lines = listAddresses(pages, organisation(), await reads.listChanges());
      return finishBytes(writeSiteMap(publicUrl, lines), last);
    });
    const encoding = preferredEncoding(request.headers["accept-encoding"]);
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return reply
      .headers({ "cache-control": AN_HOUR, vary: "accept-encoding" })
      .type("application/xml; charset=utf-8")
      .send(await bytes!.inEncoding(encoding));
  });

  app.get("/robots.txt", hide, async (_, reply) =>
    reply
      .header("cache-control", AN_HOUR)
      .type("text/plain; charset=utf-8")
      .send(`User-agent: *\nDisallow: /api/\nDisallow: /dev/\n\nSitemap: ${publicUrl}/sitemap.xml\n`),
  );

  app.get("/manifest.webmanifest", hide, async (_, reply) =>
    reply
      .header("cache-control", AN_HOUR)
      .type("application/manifest+json")
      .send(JSON.stringify(webManifest(organisation(), options.brand()))),
  );

  app.get("/.well-known/security.txt", hide, async (_, reply) =>
    reply
      .header("cache-control", AN_HOUR)
      .type("text/plain; charset=utf-8")
      .send(securityText(publicUrl, organisation(), Date.now())),
  );
  app.get("/security.txt", hide, async (_, reply) => reply.redirect("/.well-known/security.txt", 301));
}

type SiteMapLine = { readonly path: string; readonly changedAt?: Date };

/** Every page that search engines may index: from the table of pages and from the content, each once. */
export function listAddresses(
  pages: readonly Page[],
  { slug }: Organisation,
  changes: Awaited<ReturnType<PageReads["listChanges"]>>,
): readonly SiteMapLine[] {
  const lines = new Map<string, SiteMapLine>();
  for (const { path, queryParameters = [], isIndexed = true, isForDevelopers = false } of pages) {
    // A path that needs parameters is not an address by itself.
    const isWhole = !path.includes(":") && queryParameters.length === 0;
    if (isIndexed && !isForDevelopers && isWhole) lines.set(path, { path });
  }
  const named = new Set(pages.map(({ path }) => path));
  for (const { path, changedAt } of changes) {
    const own = path === "world" ? worldPath(slug) : path;
    const isListed = lines.has(own) || path === "world" || !named.has(own);
    if (changedAt === null) lines.delete(own);
    else if (own.startsWith("/") && isListed) lines.set(own, { path: own, changedAt });
  }
  return [...lines.values()];
}

/** As sitemaps.org defines it: addresses escaped, dates without times. */
function writeSiteMap(publicUrl: string, lines: readonly SiteMapLine[]): string {
  const urls = lines.map(({ path, changedAt }) => {
    const day = changedAt === undefined ? "" : `<lastmod>${changedAt.toISOString().slice(0, 10)}</lastmod>`;
    return `<url><loc>${escapeXml(publicUrl + path)}</loc>${day}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("\n")}\n</urlset>\n`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

function webManifest({ name, brand, tagline }: Organisation, { icons, themeColour }: BrandFrame) {
  const icon = (size: 192 | 512, src: string | undefined) => ({
    src: src ?? `/icons/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
  });
  return {
    name,
    short_name: brand.name,
    description: tagline,
    lang: language,
    dir: direction,
    start_url: paths.home,
    display: "minimal-ui",
    background_color: "#f6f7f2",
    theme_color: themeColour,
    icons: [
      icon(192, icons?.small),
      icon(512, icons?.large),
      { ...icon(512, icons?.maskable ?? "/icons/icon-maskable-512.png"), purpose: "maskable" },
    ],
  };
}

/** RFC 9116. It expires in half a year and is renewed daily, so that it never lapses while the site runs. */
function securityText(publicUrl: string, { email }: Organisation, now: number): string {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const expires = new Date(today + 180 * DAY_MS).toISOString();
  return `Contact: mailto:${email}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${publicUrl}/.well-known/security.txt\n`;
}
