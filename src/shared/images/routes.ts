import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findHotVariant, type PictureServices } from "./store.ts";
import type { ImageFormat } from "./tables.ts";

type Wanted = { readonly hash: string; readonly width?: number; readonly format: ImageFormat };

/** Serves content pictures: '/images/<hash>/<width>.avif', '.webp' or '.jpg', and '/images/<hash>' for the largest JPEG. */
export function imageRoutes(app: FastifyInstance, services: PictureServices) {
  const send = async (request: FastifyRequest, response: FastifyReply, wanted: Wanted | undefined) => {
    const variant = wanted === undefined ? undefined : await findHotVariant(services, wanted);
    if (wanted === undefined || variant === undefined) return response.callNotFound();
    // The address contains the picture's hash, so the answer never changes.
    const tag = `"${wanted.hash}-${variant.width}-${wanted.format}"`;
    response.headers({
      etag: tag,
      "cache-control": "public, max-age=31536000, immutable",
      "content-disposition": "inline",
    });
    if (request.headers["if-none-match"]?.includes(tag)) return response.code(304).send();
    return response.type(`image/${wanted.format}`).send(variant.bytes);
  };

  const options = { schema: { hide: true } as object, logLevel: "warn" as const };
  app.get<{ Params: { hash: string } }>("/images/:hash", options, async (request, response) =>
    send(request, response, readName(request.params.hash)),
  );
  app.get<{ Params: { hash: string; file: string } }>("/images/:hash/:file", options, async (request, response) =>
    send(request, response, readName(request.params.hash, request.params.file)),
  );
}

function readName(hash: string, file?: string): Wanted | undefined {
  if (!/^[0-9a-f]{32}$/.test(hash)) return undefined;
  if (file === undefined) return { hash, format: "jpeg" };
  const [, width, ending] = /^([1-9]\d{0,4})\.(avif|webp|jpg)$/.exec(file) ?? [];
  if (width === undefined) return undefined;
  return { hash, width: Number(width), format: ending === "jpg" ? "jpeg" : (ending as ImageFormat) };
}
