import type { FastifyReply, FastifyRequest } from "fastify";
import { type Encoding, type PageBytes, preferredEncoding } from "./page-bytes.ts";

type Sending = {
  readonly policy: Record<string, string>;
  readonly keeper?: "public" | "private";
  /** Called if all who ask for the same from now on get the same answer. */
  readonly keepReady?: () => void;
};

/** Sends a page that is the same for all who may see it, or 304 to those who have it. */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageBytes,
  { policy, keeper = "public", keepReady = () => undefined }: Sending,
): Promise<FastifyReply> {
  const encoding = preferredEncoding(request.headers["accept-encoding"]);
  reply.headers({
    // Weak, because the same page is not always compressed to the same bytes.
    etag: `W/"${page.tag}-${encoding}"`,
    "cache-control": `${keeper}, max-age=0, must-revalidate`,
    ...policy,
  });
  // Any encoding of the same page matches: proxies send the tag of the one they have.
  const isUnchanged = reply.statusCode === 200 && request.headers["if-none-match"]?.includes(`"${page.tag}-`);
  if (isUnchanged || page.isFinal(encoding)) keepReady();
  if (isUnchanged) return varyByEncoding(reply).code(304).send();
  return sendEncoded(reply, encoding, await page.inEncoding(encoding));
}

export function sendEncoded(reply: FastifyReply, encoding: Encoding, bytes: Buffer): FastifyReply {
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return varyByEncoding(reply).type("text/html; charset=utf-8").send(bytes);
}

/** Adds to a `vary` header that is already set. */
function varyByEncoding(reply: FastifyReply): FastifyReply {
  return reply.header("vary", [reply.getHeader("vary"), "accept-encoding"].filter(Boolean).join(", "));
}
