import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * `hang`: no answer. `down`: the connection breaks. `error`: 500. `deny`: 403. `redirect`: to another address. `damage`:
 * one byte of an object is another. `long`: an object has more bytes than it had.
 */
type Fault = "hang" | "down" | "error" | "deny" | "redirect" | "damage" | "long";

export type S3Server = Awaited<ReturnType<typeof openS3Server>>;

const REGION = "ap-southeast-2";
const KEY = { id: "AKIATESTKEY", secret: "letmein+secret/key" };
const MAX_SKEW_MS = 15 * 60_000;

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Buffer | string, text: string) => createHmac("sha256", key).update(text).digest();

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/**
 * A bucket that speaks S3 over real HTTP, and takes nothing that S3 would not: it computes each signature itself, compares
 * the hash of the body, and knows one key, one region and one bucket.
 * @param bucket its name. @param pageSize how many objects a page of the list has.
 */
export async function openS3Server({ bucket = "files-of-tests", pageSize = 1000 } = {}) {
  const objects = new Map<string, { body: Buffer; changedAt: Date }>();
  /** 'PUT files/…', in order; unsigned ones begin with 'unsigned'. */
  const requests: string[] = [];
  const state = {
    fault: null as Fault | null,
    /** Anybody may read. */
    isPublic: false,
    versioning: null as string | null,
    /** Called before an object is answered or stored. */
    onRequest: undefined as ((request: string) => unknown) | undefined,
  };

  const answerObject = (method: string, name: string, body: Buffer, headers: IncomingMessage["headers"]) => {
    const known = objects.get(name);
    if (method === "PUT") {
      if (headers["if-none-match"] === "*" && known !== undefined) throw new Refusal(412, "PreconditionFailed");
      objects.set(name, { body, changedAt: new Date() });
      return Buffer.alloc(0);
    }
    if (method === "DELETE") objects.delete(name);
    if (method === "DELETE") return null;
    if (known === undefined) throw new Refusal(404, "NoSuchKey");
    if (state.fault === "long") return Buffer.concat([known.body, Buffer.from("more")]);
    if (state.fault !== "damage") return known.body;
    const damaged = Buffer.from(known.body);
    damaged[damaged.length - 1]! ^= 1;
    return damaged;
  };

  const answerList = (query: URLSearchParams) => {
    const prefix = query.get("prefix") ?? "";
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).sort();
    // As opaque as S3's own, and with characters that XML and addresses write otherwise.
    const token = query.get("continuation-token");
    const from = token === null ? 0 : names.indexOf(Buffer.from(token.slice(2), "base64").toString()) + 1;
    const page = names.slice(from, from + pageSize);
    const isTruncated = from + pageSize < names.length;
    const next = `&+${Buffer.from(page.at(-1) ?? "").toString("base64")}`.replace("&", "&amp;");
    const contents = page.map(
      (name) =>
        `<Contents><Key>${name}</Key><LastModified>${objects.get(name)!.changedAt.toISOString()}</LastModified></Contents>`,
    );
    const more = isTruncated ? `<NextContinuationToken>${next}</NextContinuationToken>` : "";
    return `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join("")}${more}</ListBucketResult>`;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const url = new URL(request.url!, "http://s3");
    const method = request.method!;
    const [, ofBucket, name = ""] = /^\/([^/]+)(?:\/(.*))?$/.exec(url.pathname) ?? [];
    const isSigned = request.headers.authorization !== undefined;
    const described = `${isSigned ? "" : "unsigned "}${method} ${name || url.search}`;
    requests.push(described);
    await state.onRequest?.(described);
    if (state.fault === "hang") return;
    if (state.fault === "down") return void request.socket.destroy();
    if (state.fault === "error") throw new Refusal(500, "InternalError");
    if (state.fault === "redirect") {
      return void response.writeHead(307, { location: `http://127.0.0.1:1${url.pathname}` }).end();
    }
    if (state.fault === "deny") throw new Refusal(403, "AccessDenied");
    const isOpen = state.isPublic && (method === "GET" || method === "HEAD") && name !== "";
    if (isSigned) checkSignature(request, body);
    else if (!isOpen) throw new Refusal(403, "AccessDenied");
    if (ofBucket !== bucket) throw new Refusal(404, "NoSuchBucket");
    if (name === "" && url.searchParams.has("versioning")) {
      const status = state.versioning === null ? "" : `<Status>${state.versioning}</Status>`;
      return void response.end(`<VersioningConfiguration>${status}</VersioningConfiguration>`);
    }
    if (name === "" && url.searchParams.get("list-type") === "2") {
      return void response.end(answerList(url.searchParams));
    }
    const bytes = answerObject(method, name, body, request.headers);
    if (bytes === null) return void response.writeHead(204).end();
    response.writeHead(200, { "content-length": bytes.length }).end(method === "HEAD" ? undefined : bytes);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const { status = 500, code = String(error) } = error as Partial<Refusal>;
      const xml = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`;
      response
        .writeHead(status, { "content-type": "application/xml" })
        .end(request.method === "HEAD" ? undefined : xml);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, {
    objects,
    requests,
    settings: { endpoint, bucket, region: REGION, accessKeyId: KEY.id, secretAccessKey: KEY.secret },
    /** The settings of a site that has its files here. */
    environment: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_REGION: REGION,
      S3_ACCESS_KEY_ID: KEY.id,
      S3_SECRET_ACCESS_KEY: KEY.secret,
    },
    /** The names of the objects that have files. */
    listFiles: () => [...objects.keys()].filter((name) => name.startsWith("files/")),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

/** @throws Refusal as S3 would refuse it. */
function checkSignature({ method, url, headers }: IncomingMessage, body: Buffer): void {
  const parsed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization!,
    );
  if (parsed === null) throw new Refusal(400, "AuthorizationHeaderMalformed");
  const [, id, day = "", region, signedHeaders = "", signature = ""] = parsed;
  if (region !== REGION) throw new Refusal(400, "AuthorizationHeaderMalformed");
  if (id !== KEY.id) throw new Refusal(403, "InvalidAccessKeyId");
  const date = String(headers["x-amz-date"]);
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - at) < MAX_SKEW_MS) || !date.startsWith(day))
    throw new Refusal(403, "RequestTimeTooSkewed");
  const names = signedHeaders.split(";");
  const sent = Object.keys(headers).filter((name) => name === "host" || name.startsWith("x-amz-"));
  if (!sent.every((name) => names.includes(name))) throw new Refusal(403, "AccessDenied");
  const hash = String(headers["x-amz-content-sha256"]);
  if (hash !== sha256(body)) throw new Refusal(400, "XAmzContentSHA256Mismatch");
  const { pathname, searchParams } = new URL(url!, "http://s3");
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    method,
    decodeURIComponent(pathname).split("/").map(encode).join("/"),
    query.join("&"),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, " ")}`),
    "",
    signedHeaders,
    hash,
  ].join("\n");
  const scope = `${day}/${REGION}/s3/aws4_request`;
  const key = [REGION, "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${KEY.secret}`, day));
  const own = hmac(key, ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n"));
  if (!timingSafeEqual(own, Buffer.from(signature, "hex"))) throw new Refusal(403, "SignatureDoesNotMatch");
}
