import type { Route } from "#shared/contract/route.ts";
import { describeRoute } from "#shared/http/describe-route.ts";
import { type FormPart, filePart, formType, onePixel, textPart, writeForm } from "../application-form.ts";
import { drawer, type Random } from "../states/random.ts";
import { hostileBytes, hostileText, hostileValue } from "./hostile-values.ts";
import type { Sent } from "./raw-client.ts";

/** The material that requests are made of. */
export type Ground = {
  /** Each route of the server, as 'GET /path/:id'. */
  readonly routes: readonly string[];
  /** The calls whose fields are known. */
  readonly calls: readonly Route[];
  /** Ids and slugs that exist. */
  readonly known: readonly string[];
  /** Headers of a visitor without cookies, a guest and a member. */
  readonly people: readonly Readonly<Record<string, string>>[];
  /** A solved, unused captcha. */
  readonly takeCaptcha: () => string;
};

export type FuzzRequest = Sent & { readonly label: string };
type Header = readonly [name: string, value: string];
type Plain = { method: string; target: string; headers: Header[]; body: Buffer };

const methods = [
  "GET",
  "GET",
  "HEAD",
  "POST",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "QUERY",
];
const types = [
  "application/json",
  "application/json; charset=utf-16",
  "text/plain",
  "text/xml",
  "multipart/form-data",
  "",
  "application/x-www-form-urlencoded",
  "application/json, text/html",
  "*/*",
  "\t",
  "application/octet-stream",
  "multipart/form-data; boundary=",
  "multipart/form-data; boundary=x; boundary=y",
  `multipart/form-data; boundary=${"b".repeat(200)}`,
];

const draw = drawer({ call: 40, route: 22, path: 12, form: 8, raw: 12, pipeline: 6 });

/** One random request, or a few in one write. */
export function makeRequest(random: Random, ground: Ground): FuzzRequest {
  const kind = draw(random);
  if (kind === "raw") return makeRaw(random, ground);
  if (kind === "pipeline") {
    const parts = Array.from({ length: 2 + random.below(3) }, () => makeRoute(random, ground)).map(withoutExpect);
    return {
      label: `pipeline of ${parts.map(({ method, target }) => `${method} ${target.slice(0, 60)}`).join(", ")}`,
      bytes: Buffer.concat(parts.map(write)),
      methods: parts.map(({ method }) => method),
      isLast: false,
    };
  }
  const plain = { call: makeCall, route: makeRoute, path: makePath, form: makeForm }[kind](random, ground);
  const { method, target } = plain;
  return { label: `${kind}: ${method} ${target.slice(0, 200)}`, bytes: write(plain), methods: [method], isLast: false };
}

/** Node writes '100 Continue' into the middle of the previous answer. */
const withoutExpect = (plain: Plain): Plain => ({
  ...plain,
  headers: plain.headers.filter(([name]) => name !== "Expect"),
});

function write({ method, target, headers, body }: Plain): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`), body]);
}

// ---- Calls whose fields are known --------------------------------------------------------------------------------------

type Described = {
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly enum?: unknown[] }>>;
};

function makeCall(random: Random, ground: Ground): Plain {
  const call = random.oneOf(ground.calls);
  const { body, querystring } = describeRoute(call) as { body?: Described; querystring?: Described };
  const query = Object.entries(fill(random, ground, querystring)).map(
    ([name, value]) => `${name}=${encode(asText(value))}`,
  );
  const target = `/api${fillPath(random, ground, call.path)}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  if (call.files !== undefined) return { ...makeForm(random, ground, call), target };
  const text = random.isHit(0.05) ? asText(hostileValue(random)) : JSON.stringify(fill(random, ground, body));
  const spoilt = random.isHit(0.03) ? text.slice(0, random.below(text.length)) : text;
  return makePlain(random, ground, call.method, target, "application/json", Buffer.from(spoilt));
}

/** An object of these fields: most plausible; some hostile, missing, nested or unknown. */
function fill(random: Random, ground: Ground, described: Described | undefined): Record<string, unknown> {
  const entries = Object.entries(described?.properties ?? {}).flatMap(([name, { type, enum: options }]) => {
    if (random.isHit(0.07)) return [];
    if (random.isHit(0.2)) return [[name, hostileValue(random)] as const];
    return [[name, options === undefined ? plausible(random, ground, name, type) : random.oneOf(options)] as const];
  });
  const added = random.isHit(0.05) ? [[hostileText(random), hostileValue(random)] as const] : [];
  return Object.fromEntries([...entries, ...added]);
}

const byName: readonly (readonly [RegExp, (random: Random, ground: Ground) => unknown])[] = [
  [/captcha/i, (_, { takeCaptcha }) => takeCaptcha()],
  [/e?mail/i, (random) => `fuzz${random.below(500)}@example.com`],
  [/item_details/, (random) => JSON.stringify([{ ...line, donation_amount: random.oneOf([100, 0.1, -5, 1e9]) }])],
  [/password/i, (random) => random.oneOf(["correct horse battery", "a good password"])],
  [/country/i, () => "Australia"],
  [/state/i, () => "New South Wales"],
  [/post(al|code)/i, () => "2144"],
  [/mobile|phone/i, () => "0412345678"],
  [/date/i, () => "2026-06-30"],
  [/amount/i, () => 106.58],
  [/id$|key|slug|reference/i, (random, { known }) => random.oneOf(known)],
];
const line = {
  donation_type: "Zakat",
  donation_type_option: "",
  quantity: 1,
  donation_amount: 100,
  net_donation_amount: 100,
  admin_fee_amount: 5,
  merchant_fee: 1.58,
  donation_shared_name: "",
};

function plausible(random: Random, ground: Ground, name: string, type?: string): unknown {
  const make = byName.find(([pattern]) => pattern.test(name))?.[1];
  if (make !== undefined) return make(random, ground);
  if (type === "boolean") return random.isHit(0.5);
  if (type === "number" || type === "integer") return random.below(1000);
  if (type === "array") return [];
  if (type === "object") return {};
  return "Amina Raza";
}

// ---- Routes, paths and forms ---------------------------------------------------------------------------------------------

function makeRoute(random: Random, ground: Ground): Plain {
  const [method = "GET", path = "/"] = random.oneOf(ground.routes).split(" ");
  const query = random.isHit(0.3) ? `?${encode(hostileText(random))}=${encode(hostileText(random))}` : "";
  const chosen = random.isHit(0.6) ? method : random.oneOf(methods);
  const hasBody = chosen !== "GET" && chosen !== "HEAD" ? random.isHit(0.6) : random.isHit(0.05);
  const body = hasBody ? Buffer.from(asText(hostileValue(random))) : Buffer.alloc(0);
  return makePlain(random, ground, chosen, fillPath(random, ground, path) + query, random.oneOf(types), body);
}

const sequences = [
  "/",
  "//",
  "/./",
  "/../",
  "%2e%2e/",
  "%00",
  "%0d%0a",
  "%",
  "%zz",
  "%c0%af",
  "%ff",
  ";",
  "\\",
  "*",
  ":",
  "@",
];

function makePath(random: Random, ground: Ground): Plain {
  const [, path = "/"] = random.oneOf(ground.routes).split(" ");
  const filled = fillPath(random, ground, path);
  const at = random.below(filled.length + 1);
  const inserted = random.isHit(0.7) ? random.oneOf(sequences) : encode(hostileText(random));
  const broken = `${filled.slice(0, at)}${inserted}${filled.slice(at)}`;
  const whole = ["", "http://example.com", "http://127.0.0.1:1", "//example.com", "/.."];
  const target = `${random.isHit(0.15) ? random.oneOf(whole) : ""}${broken}`.slice(0, 15_000);
  return makePlain(random, ground, random.oneOf(methods), target === "" ? "/" : target, "", Buffer.alloc(0));
}

function fillPath(random: Random, ground: Ground, path: string): string {
  const filled = path
    .replace(/\([^)]*\)/g, "")
    .replace(/:(\w+)|\{(\w+)\}|\*/g, () =>
      random.isHit(0.5) ? encode(random.oneOf(ground.known)) : encode(hostileText(random)),
    );
  return filled.slice(0, 12_000);
}

function makeForm(random: Random, ground: Ground, call?: Route): Plain {
  const upload = call ?? random.oneOf(ground.calls.filter(({ files }) => files !== undefined));
  const { body } = describeRoute(upload) as { body?: Described };
  const parts = Object.entries(fill(random, ground, body)).map(([name, value]): FormPart => {
    if (!(name in (upload.files ?? {})))
      return textPart(random.isHit(0.02) ? hostileText(random) : name, asText(value));
    const file = random.oneOf([
      onePixel,
      Buffer.concat([onePixel, hostileBytes(random, 300)]),
      hostileBytes(random, 2000),
    ]);
    return filePart(
      name,
      file,
      random.isHit(0.2) ? hostileText(random) : "photo.jpg",
      random.oneOf(["image/png", ...types]),
    );
  });
  const bytes = writeForm(parts, { hasEnd: !random.isHit(0.1) });
  const cut = random.isHit(0.1) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
  const type = random.isHit(0.1) ? random.oneOf(types) : formType;
  return makePlain(random, ground, "POST", `/api${fillPath(random, ground, upload.path)}`, type, Buffer.from(cut));
}

// ---- Headers -------------------------------------------------------------------------------------------------------------

const oddHeaders: readonly ((random: Random) => Header)[] = [
  (random) => ["Range", random.oneOf(["bytes=0-", "bytes=-1", "bytes=5-2", "bytes=0-0,1-1", "bytes=99999999-", "x=1"])],
  (random) => ["If-None-Match", random.oneOf(["*", '"a"', 'W/"a"', "a".repeat(2000)])],
  (random) => ["If-Modified-Since", random.oneOf(["Thu, 01 Jan 1970 00:00:00 GMT", "yesterday"])],
  (random) => ["Accept-Encoding", random.oneOf(["br", "gzip", "identity;q=0, *;q=0", "br;q=9", "x".repeat(500)])],
  (random) => ["Accept", random.oneOf(["text/html", "image/avif", "*/*;q=x", ",".repeat(500)])],
  (random) => ["Accept-Language", random.oneOf(["ur", "en-AU", "x".repeat(2000)])],
  (random) => ["Content-Encoding", random.oneOf(["gzip", "br", "identity", "x"])],
  (random) => [
    "Cookie",
    `session=${random.oneOf(["x", "%", "a=b", '"'.repeat(50)])}; XSRF-TOKEN=; browser=${"x".repeat(60)}`,
  ],
  (random) => ["Cookie", "a=b; ".repeat(random.spread(1, 500))],
  (random) => ["X-XSRF-TOKEN", random.oneOf(["", "x", "a.b", "A".repeat(47)])],
  (random) => ["Idempotency-Key", printable(hostileText(random))],
  (random) => ["Origin", random.oneOf(["null", "http://example.com", "x"])],
  (random) => ["Sec-Fetch-Site", random.oneOf(["cross-site", "same-origin", "x"])],
  (random) => ["X-Forwarded-For", random.oneOf(["", "x", "::1", "999.1.1.1", "127.0.0.1, 127.0.0.1", ",".repeat(300)])],
  (random) => ["X-Forwarded-Proto", random.oneOf(["https", "gopher", "https,http"])],
  (random) => ["X-Forwarded-Host", random.oneOf(["example.com", "", "a b"])],
  (random) => ["Authorization", random.oneOf(["Bearer x", "Basic eDp5", "Bearer ".repeat(200)])],
  (random) => ["Upgrade", random.oneOf(["websocket", "h2c", "TLS/1.0"])],
  (random) => ["Expect", random.oneOf(["100-continue", "200-ok"])],
  (random) => [printable(hostileText(random)).replace(/[^\w-]/g, "") || "X", printable(hostileText(random))],
];

/** A value that does not end its header. */
const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, "?").slice(0, 3000);
const asText = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
const encode = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 6000);

function makePlain(random: Random, ground: Ground, method: string, target: string, type: string, body: Buffer): Plain {
  const headers = new Map<string, Header>();
  const set = (header: Header) => headers.set(header[0].toLowerCase(), header);
  set(["Host", random.isHit(0.97) ? "127.0.0.1" : random.oneOf(["example.com", "a:99999", "[::1]", "x".repeat(300)])]);
  set(["X-Forwarded-For", `198.18.${random.below(8)}.${random.below(256)}`]);
  for (const header of Object.entries(random.oneOf(ground.people))) set(header);
  while (random.isHit(0.3)) set(random.oneOf(oddHeaders)(random));
  if (type !== "") set(["Content-Type", type]);
  // A refused `Expect` is answered before the body, which would then be read as the next request.
  if (body.length > 0 || !["GET", "HEAD"].includes(method)) set(["Content-Length", String(body.length)]);
  // Node closes the connection of an unexpected upgrade.
  return { method, target: target.replaceAll(/[\s\u0080-\uffff]/g, "+"), headers: [...headers.values()], body };
}

// ---- Malformed HTTP ----------------------------------------------------------------------------------------------------

const rawTemplates: readonly ((random: Random, target: string) => string | Buffer)[] = [
  (random) => hostileBytes(random, 5000),
  (_, target) => `GET ${target} HTTP/1.1\r\n\r\n`,
  (_, target) => `GET ${target} HTTP/1.1\nHost: a\n\n`,
  (_, target) => `GET ${target} HTTP/1.0\r\n\r\n`,
  (_, target) => `GET ${target} HTTP/9.9\r\nHost: a\r\n\r\n`,
  (_, target) => `GET ${target}\r\n`,
  (_, target) => `GET  ${target}  HTTP/1.1\r\nHost: a\r\n\r\n`,
  (_, target) => `get ${target} http/1.1\r\nhost: a\r\n\r\n`,
  (_, target) => `CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
  (_, target) => `CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n${target}`,
  () => "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  () => Buffer.from("16030100c8010000c40303", "hex"),
  (_, target) => `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1}`,
  (_, target) =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`,
  (_, target) =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  (_, target) => `POST ${target} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  (_, target) =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n`,
  (_, target) =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${"x=1;".repeat(9000)}\r\n{}\r\n0\r\n\r\n`,
  (_, target) =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nA: b\r\n\r\n`,
  (_, target) =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":`,
  (_, target) => `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n`,
  (_, target) => `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n`,
  (_, target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n${"X: y\r\n".repeat(3000)}\r\n`,
  (_, target) => `GET ${target} HTTP/1.1\r\nHost: a\r\nX: ${"y".repeat(100_000)}\r\n\r\n`,
  (_, target) => `GET /${"a".repeat(100_000)}${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
  (_, target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n folded: header\r\n\r\n`,
  (_, target) => `GET ${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
  (_, target) => `GET ${target} HTTP/1.1\r\nHost: a\u0000b\r\n\r\n`,
  (_, target) => `GET ${target} HTTP/1.1\r\nHost: a\r\nNo colon\r\n\r\n`,
  (_, target) => `\r\n\r\n\r\nGET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
];

function makeRaw(random: Random, ground: Ground): FuzzRequest {
  const [, path = "/"] = random.oneOf(ground.routes).split(" ");
  const made = Buffer.from(random.oneOf(rawTemplates)(random, fillPath(random, ground, path).slice(0, 2000)));
  const bytes = Buffer.from(random.isHit(0.2) ? made.subarray(0, random.below(made.length)) : made);
  while (bytes.length > 0 && random.isHit(0.3)) bytes[random.below(bytes.length)] = random.below(256);
  return { label: `raw: ${bytes.toString("latin1", 0, 60)}`, bytes, methods: [], isLast: true };
}
