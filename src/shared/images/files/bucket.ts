import { createHash } from "node:crypto";
import { BucketError } from "./bucket-error.ts";
import { createCircuit } from "./circuit.ts";

export type BucketSettings = {
  /** Without a path and without a slash at the end. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** How long one request may take in all, and how long a bucket that failed is left alone. */
type BucketTimes = { readonly readMs: number; readonly writeMs: number; readonly pauseMs: number };

const usualTimes: BucketTimes = { readMs: 5000, writeMs: 20_000, pauseMs: 10_000 };

type ListedObject = { readonly name: string; readonly changedAt: Date };
/** `at` is the time by the clock of the storage. */
type ListedPage = { readonly objects: readonly ListedObject[]; readonly at: Date; readonly next: string | null };

export type Bucket = ReturnType<typeof createBucket>;

type Sending = {
  readonly method: "GET" | "PUT" | "HEAD" | "DELETE";
  /** In the bucket; '' for the bucket itself. */
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the answer, in bytes. */
  readonly maxBytes: number;
};
type Received = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer };

/** Of an answer in XML: a page of a list has a thousand objects. */
const MAX_XML_BYTES = 2 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const EMPTY = Buffer.alloc(0);
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Signs requests, and sends them one by one through the circuit. */
function createSender(settings: BucketSettings, times: BucketTimes) {
  const throughCircuit = createCircuit(times.pauseMs);
  const base = addressOf(settings);
  return (sending: Sending): Promise<Received> =>
    throughCircuit(async () => {
      const { method, name = "", query = {}, body, maxBytes } = sending;
      const url = new URL(name === "" ? base : `${base}/${name}`);
      url.search = new URLSearchParams(query).toString();
      const { AwsV4Signer } = await import("aws4fetch");
      const headers = { ...sending.headers, "x-amz-content-sha256": sha256(body ?? EMPTY) };
      const signed = await new AwsV4Signer({
        method,
        url: url.href,
        headers,
        service: "s3",
        region: settings.region,
        accessKeyId: settings.accessKeyId,
        secretAccessKey: settings.secretAccessKey,
      }).sign();
      // Not signed, because some storages are behind a proxy that changes it.
      signed.headers.set("accept-encoding", "identity");
      const request = {
        method,
        headers: signed.headers,
        body: (body ?? null) as NonNullable<RequestInit["body"]> | null,
      };
      return receive(signed.url, request, { maxBytes, timeoutMs: method === "PUT" ? times.writeMs : times.readMs });
    });
}

const addressOf = ({ endpoint, bucket }: BucketSettings) => `${endpoint}/${bucket}`;

/**
 * The objects of one S3-compatible bucket, by signed requests (AWS Signature, version 4) with addresses that have the
 * bucket in their path. Every method throws `BucketError`. No answer is read beyond what it may have, and no redirect is
 * followed.
 */
export function createBucket(settings: BucketSettings, times: BucketTimes = usualTimes) {
  const base = addressOf(settings);
  const send = createSender(settings, times);

  return {
    /** `https://…/bucket`, for sentences. */
    address: base,

    /** `isNew`: refused as `PreconditionFailed` if there is such an object. */
    async put(name: string, body: Buffer, { isNew = false } = {}): Promise<void> {
      const headers = { "content-type": "application/octet-stream", ...(isNew && { "if-none-match": "*" }) };
      await send({ method: "PUT", name, body, headers, maxBytes: MAX_ERROR_BYTES });
    },

    /** @param maxBytes a longer object is `damaged`. */
    async get(name: string, maxBytes: number): Promise<Buffer> {
      return (await send({ method: "GET", name, maxBytes })).bytes;
    },

    /** The size of an object in bytes. */
    async head(name: string): Promise<number> {
      return Number((await send({ method: "HEAD", name, maxBytes: 0 })).headers.get("content-length"));
    },

    /** Nothing happens if it is gone already. */
    async remove(name: string): Promise<void> {
      await send({ method: "DELETE", name, maxBytes: MAX_ERROR_BYTES }).catch((error: unknown) => {
        if (!(error instanceof BucketError && error.isMissingObject)) throw error;
      });
    },

    /** A thousand objects whose names begin with this; `next` continues after them. */
    async list(prefix: string, next: string | null = null): Promise<ListedPage> {
      const query = { "list-type": "2", prefix, ...(next !== null && { "continuation-token": next }) };
      const { bytes, headers } = await send({ method: "GET", query, maxBytes: MAX_XML_BYTES });
      const text = bytes.toString();
      const objects = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, one = ""]) => ({
        name: readTag(one, "Key") ?? "",
        changedAt: new Date(readTag(one, "LastModified") ?? Number.NaN),
      }));
      const isWhole = readTag(text, "IsTruncated") !== "true";
      const at = new Date(headers.get("date") ?? Number.NaN);
      return { objects, at, next: isWhole ? null : readTag(text, "NextContinuationToken") };
    },

    /** Whether it keeps what is deleted: `Enabled`, `Suspended` or null if it never did. */
    async readVersioning(): Promise<string | null> {
      const { bytes } = await send({ method: "GET", query: { versioning: "" }, maxBytes: MAX_XML_BYTES });
      return readTag(bytes.toString(), "Status");
    },

    /** The status that somebody without the key gets for an object. */
    async readOpenStatus(name: string): Promise<number> {
      const limits = { maxBytes: MAX_ERROR_BYTES, timeoutMs: times.readMs };
      return receive(new URL(`${base}/${name}`), { method: "HEAD" }, limits).then(
        ({ status }) => status,
        (error: BucketError) => {
          if (error.fault === "away") throw error;
          return 403;
        },
      );
    },
  };
}

type Limits = { readonly maxBytes: number; readonly timeoutMs: number };

/** @throws BucketError for anything but a success. */
async function receive(url: URL, request: RequestInit, { maxBytes, timeoutMs }: Limits): Promise<Received> {
  let response: Response;
  let bytes: Buffer;
  try {
    response = await fetch(url, { ...request, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    bytes = await readBody(response, response.ok ? maxBytes : MAX_ERROR_BYTES);
  } catch (error) {
    if (error instanceof BucketError) throw error;
    throw new BucketError("away", codeOf(error), { cause: error });
  }
  const { status, headers } = response;
  if (response.ok) return { status, headers, bytes };
  if (status >= 300 && status < 400) throw new BucketError("refused", "redirect");
  // An answer to HEAD has no body to say more.
  const code = readTag(bytes.toString(), "Code") ?? String(status);
  if (status === 404) throw new BucketError("missing", code);
  throw new BucketError(status >= 500 || status === 429 ? "away" : "refused", code);
}

/** @throws BucketError `damaged` for more than `maxBytes`. */
async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > maxBytes) throw new BucketError("damaged", "too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function codeOf(error: unknown): string {
  if ((error as Error).name === "TimeoutError") return "timeout";
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? (error as Error).name;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of the first such element; null without one. */
function readTag(xml: string, tag: string): string | null {
  const [, text] = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml) ?? [];
  return text?.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole) ?? null;
}
