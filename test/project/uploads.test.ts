import { readdirSync } from "node:fs";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharp } from "#shared/images/sharp.ts";
import { longTest } from "#test/long-test.ts";
import {
  APPLY,
  applicationFields,
  BOUNDARY,
  type FormPart,
  filePart,
  formType,
  PHOTO,
  SIGNATURE,
  textPart,
  textParts,
  writeForm,
} from "../application-form.ts";
import { openTestSite, type TestSite, type Visitor } from "../site.ts";
import { listExtras } from "./picture-extras.ts";
import { MARK, makeCorpus, notAPicture, type UploadSample, unreadable } from "./upload-corpus.ts";

let site: TestSite;
let visitor: Visitor;
let corpus: UploadSample[];
let picture: Buffer;
const lines: string[] = [];
beforeAll(async () => {
  const many = "1000000";
  [site, corpus] = await Promise.all([
    openTestSite({ LIMITS_APPLICATIONS: many, LIMITS_APPLICATIONS_PER_EMAIL: many, LOG_LEVEL: "trace" }),
    makeCorpus(),
  ]);
  Object.assign(site.services.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
  visitor = await site.visitor();
  picture = await sharp({ create: { width: 30, height: 10, channels: 4, background: "#0000" } })
    .png()
    .toBuffer();
});
afterAll(() => site.close());

type Sending = {
  readonly fields?: Record<string, string>;
  /** File parts; both pictures unless given. */
  readonly parts?: readonly FormPart[];
  /** The raw body, instead of fields and parts. */
  readonly payload?: Buffer;
  readonly type?: string;
};

/** Only a stored application uses up a captcha. */
let captcha: string | undefined;
const both = () => [filePart(PHOTO, picture), filePart(SIGNATURE, picture)];

async function send({ fields = {}, parts = both(), payload, type = formType }: Sending = {}) {
  captcha ??= await visitor.solveCaptcha("volunteer");
  const response = await site.app.inject({
    method: "POST",
    url: APPLY,
    headers: { ...visitor.identity, "content-type": type },
    payload: payload ?? writeForm([...textParts({ ...applicationFields, captcha, ...fields }), ...parts]),
  });
  if (response.statusCode === 200) captcha = undefined;
  return { text: response.body, ...response.json(), status: response.statusCode };
}

async function listStored(reference: string) {
  const { rows } = await site.pool.query(
    `select f.media_type, f.width, f.height, f.bytes from volunteer_applications a
       join private_files f on f.id in (a.photo_file_id, a.signature_file_id) where a.reference = $1`,
    [reference],
  );
  return rows as { media_type: string; width: number; height: number; bytes: Buffer }[];
}

const counts = async () =>
  (
    await site.pool.query(
      `select (select count(*) from volunteer_applications) || ' ' || (select count(*) from private_files) || ' ' ||
         (select count(*) from captcha_uses) || ' ' || (select count(*) from pgboss.job) as counts`,
    )
  ).rows[0].counts as string;

/** The faults of a stored picture, as sentences. */
async function listFaults({ media_type, width, height, bytes }: Awaited<ReturnType<typeof listStored>>[number]) {
  const { data, info } = await sharp(bytes, { failOn: "warning" }).raw().toBuffer({ resolveWithObject: true });
  const { format } = await sharp(bytes).metadata();
  const isAsRecorded = `image/${format}` === media_type && info.width === width && info.height === height;
  return [
    ...(isAsRecorded && data.length > 0 ? [] : [`it is a ${format} of ${info.width} × ${info.height}`]),
    ...(await listExtras(bytes)),
  ];
}

longTest(
  "VOL-11, S7: each hostile file is refused with a clear sentence, or stored as nothing but pixels",
  async () => {
    const faults: string[] = [];
    let kept = 0;
    for (const sample of corpus) {
      const fault = (text: unknown) => faults.push(`${sample.name}: ${text}`);
      const before = await counts();
      const one = filePart(PHOTO, sample.bytes, sample.filename, sample.type);
      const reply = await send({ parts: [one, filePart(SIGNATURE, sample.bytes, sample.filename, sample.type)] });
      if (reply.text.includes(MARK)) fault(`the answer repeats it: ${reply.text}`);
      if (reply.status === 200 && !(sample.fate instanceof RegExp)) {
        kept += 1;
        const stored = await listStored(reply.data.reference);
        if (stored.length !== 2) fault(`${stored.length} pictures were kept`);
        for (const file of stored) {
          for (const one of await listFaults(file)) fault(one);
          const [width, height] = sample.size ?? [];
          if (width !== undefined && `${file.width} ${file.height}` !== `${width} ${height}`) {
            fault(`it is ${file.width} × ${file.height}`);
          }
        }
      } else if (reply.status === 422 && sample.fate !== "kept") {
        const sentences = [reply.data?.[PHOTO], reply.data?.[SIGNATURE]].flat();
        const expected = sample.fate === "either" ? unreadable : sample.fate;
        if (sentences.length !== 2 || !sentences.every((sentence) => expected.test(sentence))) fault(reply.text);
        if (Object.keys(reply.data).length !== 2) fault(reply.text);
        if ((await counts()) !== before) fault("something of it stayed");
      } else {
        fault(`${reply.status} ${reply.text.slice(0, 300)}`);
      }
    }
    expect(faults).toEqual([]);
    expect(corpus.length).toBeGreaterThan(100);
    expect(kept).toBeGreaterThan(40);
    expect(lines.length).toBeGreaterThan(100);
    const secrets = [MARK, visitor.identity["x-xsrf-token"], applicationFields.email!, applicationFields.name!];
    const isTalkative = (line: string) => secrets.some((secret) => line.includes(secret));
    expect(lines.filter(isTalkative).map((line) => line.slice(0, 300))).toEqual([]);
  },
);

test("VOL-11: two bad files in a row leave no row or open file, and the next ones are accepted", async () => {
  await send();
  const openFiles = () => readdirSync("/proc/self/fd").length;
  const [rows, files] = [await counts(), openFiles()];
  for (const bytes of [Buffer.from(`<svg onload=alert(1)>`), corpus[3]!.bytes]) {
    const { status } = await send({ parts: [filePart(PHOTO, bytes), filePart(SIGNATURE, picture)] });
    expect(status).toBe(422);
  }
  expect(await counts()).toBe(rows);
  expect(openFiles()).toBeLessThanOrEqual(files);
  expect((await send()).status).toBe(200);
});

const head = (name: string) => `Content-Disposition: form-data; name="${name}"`;
const octets = "Content-Type: application/octet-stream";
const listOf = (length: number, part: (n: number) => FormPart) => Array.from({ length }, (_, n) => part(n));
const malformed = { status: 400, error: "malformed" };
const taken = { status: 200 };
const form = (parts: readonly FormPart[]) => writeForm(parts).toString("latin1");
const bytes = (text: string) => Buffer.from(text, "latin1");

/** Forms that no page sends, each with its answer. */
const oddForms: readonly [string, () => Sending, object][] = [
  ["no boundary", () => ({ type: "multipart/form-data" }), malformed],
  ["another boundary", () => ({ type: "multipart/form-data; boundary=other" }), malformed],
  ["an endless boundary", () => ({ type: `multipart/form-data; boundary=${"x".repeat(9000)}` }), malformed],
  ["an empty body", () => ({ payload: Buffer.alloc(0) }), { status: 422 }],
  ["nothing but the end", () => ({ payload: bytes(`--${BOUNDARY}--\r\n`) }), { status: 422 }],
  ["nonsense", () => ({ payload: Buffer.alloc(3000, "\r\n--") }), malformed],
  ["no last boundary", () => ({ payload: writeForm(both(), { hasEnd: false }) }), malformed],
  ["an end within a file", () => ({ payload: writeForm(both()).subarray(0, 150) }), malformed],
  ["an end within a head", () => ({ payload: bytes(`--${BOUNDARY}\r\n${head(PHOTO)}`) }), malformed],
  ["a text behind the end", () => ({ payload: bytes(`${form(both())}more`) }), { status: 422 }],
  ["1,000 fields", () => ({ parts: listOf(1000, (n) => textPart(`field${n}`, "x")) }), malformed],
  ["1,000 files", () => ({ parts: listOf(1000, (n) => filePart(`file${n}`, picture)) }), malformed],
  ["1,000 photos", () => ({ parts: listOf(1000, () => filePart(PHOTO, picture)) }), malformed],
  [
    "a head of 100 kB",
    () => ({ parts: [{ heads: [head("a"), `X-A: ${"x".repeat(100_000)}`], body: "" }, ...both()] }),
    taken,
  ],
  ["a name of 5 kB", () => ({ parts: [textPart("x".repeat(5000), "x"), ...both()] }), malformed],
  [
    "1,000 heads",
    () => ({ parts: [{ heads: [...Array(1000).fill("X-A: b"), head("a")], body: "" }, ...both()] }),
    taken,
  ],
  ["no heads", () => ({ parts: [{ heads: [], body: "x" }, ...both()] }), taken],
  ["a field without a name", () => ({ parts: [{ heads: ["Content-Disposition: form-data"], body: "x" }] }), malformed],
  [
    "a file without a name",
    () => ({ parts: [{ heads: [head("").replace("name", "filename")], body: "x" }] }),
    malformed,
  ],
  [
    "an attachment",
    () => ({ parts: [{ heads: ["Content-Disposition: attachment; name=a"], body: "x" }, ...both()] }),
    taken,
  ],
  [
    "a form in a form",
    () => ({ parts: [{ heads: [head("a"), `Content-Type: ${formType}`], body: "x" }, ...both()] }),
    taken,
  ],
  ["a field __proto__", () => ({ parts: [textPart("__proto__", "x"), ...both()] }), malformed],
  ["a field constructor", () => ({ parts: [textPart("constructor", "x"), ...both()] }), malformed],
  ["a file toString", () => ({ parts: [filePart("toString", picture), ...both()] }), malformed],
  [
    "a field of JSON",
    () => ({ parts: [{ heads: [head("skill"), "Content-Type: application/json"], body: '{"a":1}' }, ...both()] }),
    malformed,
  ],
  [
    "a field that says it is JSON",
    () => ({ parts: [{ heads: [head("skill"), "Content-Type: application/json"], body: "{" }, ...both()] }),
    malformed,
  ],
  [
    "a field of 65 kB",
    () => ({ fields: { skill: "x".repeat(65_537) } }),
    { status: 422, data: { skill: ["This is too long. Please shorten it."] } },
  ],
  [
    "files before fields",
    () => ({ payload: writeForm([...both(), ...textParts({ ...applicationFields, captcha: captcha! })]) }),
    taken,
  ],
  ["a field twice", () => ({ parts: [textPart("mobile", "0400 000 009"), ...both()] }), taken],
  [
    "a photo twice",
    () => ({ parts: [...both(), filePart(PHOTO, picture)] }),
    { status: 422, data: { [PHOTO]: ["Please choose one picture only."] } },
  ],
  [
    "a photo as text",
    () => ({ parts: [textPart(PHOTO, "x"), filePart(SIGNATURE, picture)] }),
    { status: 422, data: { [PHOTO]: ["Please upload an image"] } },
  ],
  [
    "a text as file",
    () => ({ parts: [...both(), { heads: [head("name"), octets], body: "Amina" }] }),
    { status: 422, data: { name: ["This field does not accept a file."] } },
  ],
  [
    "a file of nobody's",
    () => ({ parts: [...both(), filePart("other", picture)] }),
    { status: 422, data: { other: ["This field does not accept a file."] } },
  ],
  [
    "a photo that was left empty",
    () => ({ parts: [filePart(PHOTO, "", ""), filePart(SIGNATURE, picture)] }),
    { status: 422, data: { [PHOTO]: ["Please upload an image"] } },
  ],
  ["an empty photo, then one", () => ({ parts: [filePart(PHOTO, "", ""), ...both()] }), taken],
  [
    "photos in base64",
    () => ({
      parts: both().map(({ heads, body }) => ({
        heads: [...heads, "Content-Transfer-Encoding: base64"],
        body: Buffer.from(body).toString("base64"),
      })),
    }),
    {
      status: 422,
      data: { [PHOTO]: [expect.stringMatching(notAPicture)], [SIGNATURE]: [expect.stringMatching(notAPicture)] },
    },
  ],
  [
    "a name in UTF-16",
    () => ({
      parts: [
        {
          heads: [head("name"), "Content-Type: text/plain; charset=utf-16le"],
          body: Buffer.from("\u0000\ud800", "utf16le"),
        },
        ...both(),
      ],
    }),
    { status: 422 },
  ],
  [
    "a name in half a character",
    () => ({ parts: [{ heads: [head("name")], body: Buffer.from([0x41, 0xc3]) }, ...both()] }),
    taken,
  ],
  [
    "a name in nobody's letters",
    () => ({
      parts: [{ heads: [head("name"), "Content-Type: text/plain; charset=x-klingon"], body: "Amina" }, ...both()],
    }),
    taken,
  ],
  ["a name with a NUL", () => ({ fields: { name: "Amina\0Raza" } }), { status: 422 }],
  ["a key that is none", () => ({ fields: { key: "1' or '1'='1" } }), { status: 422 }],
  ["a captcha of nonsense", () => ({ fields: { captcha: "\0\xff" } }), { status: 403, error: "captcha_failed" }],
];

test.each(oddForms)("API-6: a form with %s gets the right answer", async (_, make, expected) => {
  captcha ??= await visitor.solveCaptcha("volunteer");
  const before = await counts();
  const reply = await send(make());
  expect(reply).toMatchObject(expected);
  if (reply.status !== 200) {
    expect(await counts()).toBe(before);
    expect(reply.message).toMatch(/\.$/);
  }
});

test("API-6: of a repeated field the last one counts, and bytes that are not text become replacement characters", async () => {
  const halves = Buffer.concat([Buffer.from("Am"), Buffer.from([0xff]), Buffer.from("ina")]);
  const { data } = await send({
    parts: [textPart("mobile", "0400 000 009"), { heads: [head("name")], body: halves }, ...both()],
  });
  const { rows } = await site.pool.query("select name, mobile from volunteer_applications where reference = $1", [
    data.reference,
  ]);
  expect(rows).toEqual([{ name: "Am\ufffdina", mobile: "0400 000 009" }]);
});

test("S7: negative control: the checks find metadata, trailing bytes and text left in a file", async () => {
  const jpeg = await sharp(picture).flatten().jpeg().toBuffer();
  const kept = (bytes: Buffer) => listFaults({ media_type: "image/jpeg", width: 30, height: 10, bytes });
  expect(await kept(jpeg)).toEqual([]);
  expect(
    await kept(
      await sharp(jpeg)
        .withExif({ IFD0: { Artist: MARK } })
        .toBuffer(),
    ),
  ).toEqual(expect.arrayContaining(["it holds exif", "segment e1", MARK]));
  expect(await kept(Buffer.concat([jpeg, Buffer.from("tail\xff\xd9", "latin1")]))).toEqual(["a tail"]);
  expect(await kept(picture)).toEqual(["it is a png of 30 × 10"]);
});
