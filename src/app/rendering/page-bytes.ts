import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A page as finished bytes, compressed once. */
export type PageBytes = {
  readonly tag: string;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
};

const BROTLI_QUALITY = 5;

const toBrotli = promisify(brotliCompress);
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };

/** The ways in which a page travels. */
export const encoders = {
  identity: async (bytes: Buffer) => bytes,
  gzip: promisify<Buffer, Buffer>(gzip),
  br: (bytes: Buffer) => toBrotli(bytes, { params: brotliParams }),
} as const;
export type Encoding = keyof typeof encoders;

export async function finishBytes(html: string): Promise<PageBytes> {
  const identity = Buffer.from(html);
  const [gzipped, br] = await Promise.all([encoders.gzip(identity), encoders.br(identity)]);
  return { tag: createHash("sha256").update(identity).digest("base64url").slice(0, 22), identity, gzip: gzipped, br };
}

/** Brotli, else gzip, unless the request refuses it with `q=0` or does not name it. */
export function preferredEncoding(accepted: string | undefined): Encoding {
  const offered = (accepted ?? "").toLowerCase().split(",");
  const takes = (name: string) =>
    offered.some((part) => {
      const [coding = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      return coding === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : "identity";
}
