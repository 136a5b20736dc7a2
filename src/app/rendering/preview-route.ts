import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Organisation } from "#shared/organisation.ts";
import { findPage, type Page, type PageReads } from "#shared/pages/page.ts";
import type { PreviewAddress, PreviewedFrame } from "#shared/pages/preview.ts";
import { previewPath } from "#shared/paths.ts";

type PreviewOptions = {
  readonly organisation: () => Organisation;
  readonly reads: PageReads;
  readonly pages: readonly Page[];
  readonly render: (page: Page, path: string, data: unknown, frame?: PreviewedFrame) => string;
  readonly policyOf: (page: Page) => Record<string, string>;
  readonly sendNotFound: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  readonly sendProblem: (request: FastifyRequest, reply: FastifyReply, error: unknown) => Promise<FastifyReply>;
};

/** Serves a draft on its page to whoever has the link that staff passed on, until that ends. */
export function servePreviews(app: FastifyInstance, options: PreviewOptions): void {
  const { organisation, reads, pages, render, policyOf, sendNotFound, sendProblem } = options;

  const draw = (address: PreviewAddress) =>
    reads.findPreview(address, async (path, shown, frame) => {
      const found = findPage(pages, path);
      if (found === undefined) return null;
      const data = await found.page.load({ ...reads, ...shown }, { params: found.params }, organisation());
      return data === null ? null : { page: found.page, html: render(found.page, path, data, frame) };
    });

  app.get<{ Params: Record<"item" | "version", string>; Querystring: { key?: unknown } }>(
    previewPath(":item", ":version"),
    { schema: { hide: true } as object },
    async (request, reply) => {
      // The address grants access to the page, so it must not leak as a referrer.
      reply.headers({ "cache-control": "private, no-store", "x-robots-tag": "noindex" });
      try {
        const drawn = await draw({ ...request.params, key: request.query.key });
        if (drawn === null) return await sendNotFound(request, reply);
        reply.headers({ ...policyOf(drawn.page), "referrer-policy": "no-referrer" });
        return await reply.type("text/html; charset=utf-8").send(drawn.html);
      } catch (error) {
        return sendProblem(request, reply, error);
      }
    },
  );
}
