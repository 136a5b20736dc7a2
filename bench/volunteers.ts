import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { sharp } from "#shared/images/sharp.ts";
import { APPLY, applicationFields, PHOTO, SIGNATURE } from "#test/application-form.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";
import { millisecondsOf } from "./compare.ts";
import { cpuSeconds, median } from "./processes.ts";
import { startBenchSite } from "./site.ts";
import { printTable } from "./table.ts";

const CLIENTS = 20;
const APPLICATIONS = 200;
const WARM_UP = 20;
const MAX_P99_MS = 2000;
const PHOTO_BYTES = 1024 * 1024;

/** `address` is their network address, as the proxy reports it. */
type Client = { readonly cookie: string; readonly token: string; readonly address: string };
type Prepared = { readonly form: Buffer; readonly type: string };

/** A photo of about a megabyte, as from a phone: full of detail, and with metadata. */
async function makePhoto(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const plain = { width: 2000, height: 1500, channels: 3, background: "#2a6f77", noise } as const;
  const picture = await sharp({ create: plain }).blur(1.2).png().toBuffer();
  let best = Buffer.alloc(0);
  for (let quality = 40; quality <= 95 && best.length < PHOTO_BYTES; quality += 5) {
    best = await sharp(picture).jpeg({ quality }).withMetadata({ orientation: 6 }).toBuffer();
  }
  return best;
}

/** A line drawn with a finger on a screen. */
function makeSignature(): Promise<Buffer> {
  const [width, height] = [600, 200];
  const pixels = Buffer.alloc(width * height * 4);
  for (let x = 20; x < width - 20; x += 1) {
    const middle = Math.round(height / 2 + 60 * Math.sin(x / 40));
    for (let y = middle - 3; y < middle + 3; y += 1) pixels.writeUInt32BE(0x16214fff, (y * width + x) * 4);
  }
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

async function openClient(url: string, address: string): Promise<Client> {
  const answer = await fetch(`${url}/api/checkout`);
  await answer.arrayBuffer();
  const cookie = answer.headers
    .getSetCookie()
    .find((one) => one.startsWith("XSRF-TOKEN="))!
    .split(";", 1)[0]!;
  return { cookie, token: decodeURIComponent(cookie.slice("XSRF-TOKEN=".length)), address };
}

/** A complete form with a solved captcha, so that only the site's work is timed. */
async function prepare(url: string, pictures: { photo: Buffer; signature: Buffer }): Promise<Prepared> {
  const challenge = await fetch(`${url}/api/captcha?action=volunteer`);
  const key = randomUUID();
  const form = new FormData();
  const captcha = await solveCaptcha((await challenge.json()) as object);
  const email = `bench-${key}@example.com`;
  for (const [name, value] of Object.entries({ ...applicationFields, email, key, captcha })) {
    form.set(name, value);
  }
  form.set(PHOTO, new Blob([new Uint8Array(pictures.photo)]), "photo.jpg");
  form.set(SIGNATURE, new Blob([new Uint8Array(pictures.signature)]), "signature.png");
  const body = new Response(form);
  return { form: Buffer.from(await body.arrayBuffer()), type: body.headers.get("content-type")! };
}

const faults: string[] = [];

/** Milliseconds from the first byte sent to the whole answer. */
async function send(url: string, { cookie, token, address }: Client, { form, type }: Prepared): Promise<number> {
  return millisecondsOf(async () => {
    const headers = { cookie, "x-xsrf-token": token, "content-type": type, "x-forwarded-for": address };
    const answer = await fetch(`${url}${APPLY}`, { method: "POST", headers, body: new Uint8Array(form) });
    const text = await answer.text();
    if (answer.status !== 200) faults.push(`an application was answered ${answer.status}: ${text.slice(0, 200)}`);
  });
}

/** Each client sends its next application once the last is answered. */
async function sendAll(url: string, clients: readonly Client[], prepared: readonly Prepared[]): Promise<number[]> {
  const left = [...prepared];
  const times: number[] = [];
  await Promise.all(
    clients.map(async (client) => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) times.push(await send(url, client, next));
    }),
  );
  return times.sort((one, other) => one - other);
}

/** The necessary work of an application: both pictures decoded, rotated, scaled and re-encoded, in turn. */
async function encodeBare({ photo, signature }: { photo: Buffer; signature: Buffer }): Promise<void> {
  const inside = (size: number) => ({ width: size, height: size, fit: "inside", withoutEnlargement: true }) as const;
  await sharp(photo).autoOrient().resize(inside(1600)).jpeg({ quality: 82 }).toBuffer();
  await sharp(signature).resize(inside(1200)).flatten({ background: "#ffffff" }).png({ palette: true }).toBuffer();
}

/** Compares what is stored with what was sent. */
async function countKept(): Promise<void> {
  const server = await startEmbeddedDatabase({ dataDir: folder });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<Record<"applications" | "emails" | "files" | "events" | "jobs", string>>(
    `select (select count(*) from volunteer_applications where photo_file_id is not null and signature_file_id is not null) as applications,
       (select count(distinct email) from volunteer_applications) as emails, (select count(*) from private_files) as files,
       (select count(*) from volunteer_events where event = 'received') as events,
       (select count(*) from pgboss.job where data->>'template' in ('application-received', 'new-application')) as jobs`,
  );
  await client.end();
  await server.stop();
  const sent = APPLICATIONS + WARM_UP;
  const expected = { applications: sent, emails: sent, files: 2 * sent, events: sent, jobs: 2 * sent };
  for (const [what, count] of Object.entries(expected)) {
    const kept = Number(rows[0]![what as keyof typeof expected]);
    if (kept !== count) faults.push(`${kept} ${what} are kept of ${count}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), "bench-volunteers-"));
const site = await startBenchSite(folder, { LIMITS_APPLICATIONS: "100000" });
try {
  const pictures = { photo: await makePhoto(), signature: await makeSignature() };
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => openClient(site.url, `198.51.100.${n}`)));
  const makeForms = async (count: number) => {
    const forms: Prepared[] = [];
    for (let n = 0; n < count; n += 1) forms.push(await prepare(site.url, pictures));
    return forms;
  };
  await sendAll(site.url, clients, await makeForms(WARM_UP));
  const forms = await makeForms(APPLICATIONS);
  const bare = async () => {
    const runs: { time: number; cpu: number }[] = [];
    for (let n = 0; n < 10; n += 1) {
      const begun = process.cpuUsage();
      const time = await millisecondsOf(() => encodeBare(pictures));
      const { user, system } = process.cpuUsage(begun);
      runs.push({ time, cpu: (user + system) / 1000 });
    }
    return runs;
  };
  const others = loadavg()[0]!;
  const before = await bare();
  let times: number[] = [];
  const cpuBefore = cpuSeconds(site.pid);
  const whole = await millisecondsOf(async () => {
    times = await sendAll(site.url, clients, forms);
  });
  const cpu = ((cpuSeconds(site.pid) - cpuBefore) * 1000) / APPLICATIONS;
  const runs = [...before, ...(await bare())];
  const reference = median(runs.map(({ time }) => time));
  const p99 = times[Math.ceil(times.length * 0.99) - 1]!;
  if (p99 > MAX_P99_MS) faults.push(`p99 is ${Math.round(p99)} ms, more than ${MAX_P99_MS}`);
  await countKept();
  const to = "its pictures encoded, bare and alone";
  process.stdout.write(
    `${APPLICATIONS} applications by ${CLIENTS} clients at once, a photo of ${Math.round(pictures.photo.length / 1024)} kB each\n`,
  );
  if (others > cpus().length) {
    process.stdout.write(`${others.toFixed(0)} programs wanted the processor before it began: trust the CPU alone\n`);
  }
  printTable([
    { what: "CPU of the site for one", ours: cpu, reference: median(runs.map((run) => run.cpu)), unit: "ms", to },
    { what: "an application, of all the time together", ours: whole / APPLICATIONS, reference, unit: "ms", to },
    {
      what: "median answer",
      ours: median(times),
      reference: reference * CLIENTS,
      unit: "ms",
      to: "those of 20, one after the other",
    },
    {
      what: "p99 answer",
      ours: p99,
      reference: reference * CLIENTS,
      unit: "ms",
      to: "those of 20, one after the other",
    },
  ]);
  for (const fault of faults) process.stdout.write(`BROKEN  ${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await site.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
