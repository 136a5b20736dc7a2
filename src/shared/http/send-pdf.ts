import type { FastifyReply } from "fastify";

/** Sends a PDF of somebody's own, which opens in the browser and is neither stored on the way nor found by searching. */
export function sendPdf(reply: FastifyReply, name: string, bytes: Buffer): FastifyReply {
  return reply
    .type("application/pdf")
    .header("cache-control", "private, no-store")
    .header("x-robots-tag", "noindex")
    .header("content-disposition", `inline; filename="${name}.pdf"`)
    .send(bytes);
}
