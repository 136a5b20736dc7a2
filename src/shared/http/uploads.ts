import multipart, { type MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#shared/errors.ts";
import { type ByteBudget, createByteBudget } from "./byte-budget.ts";
import { subnetOf } from "./client-address.ts";
import { copyFormPieces } from "./copy-form-pieces.ts";

/** A file as it came: nothing about it is believed but its bytes. */
export type UploadedFile = { readonly bytes: Buffer };

/** A form with files, read whole. `faults` are sentences for files that were refused, under their names on the wire. */
export type Upload = {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, UploadedFile>>;
  readonly faults: Readonly<Record<string, string[]>>;
};

export const MULTIPART = "multipart/form-data";
const MEGABYTE = 1024 * 1024;
export const LARGEST_FILE = 10 * MEGABYTE;
const limits = { fileSize: LARGEST_FILE, fieldSize: 64 * 1024, fields: 40, files: 4, parts: 44, headerPairs: 20 };
const LONGEST_NAME = 100;
const LARGEST_FORM = 2 * LARGEST_FILE + MEGABYTE;
/** What all forms that are being read may hold together in one process, and those of one network address. */
const ALL_FORMS = 48 * MEGABYTE;
const FORMS_OF_ONE = ALL_FORMS / 3;
const decorator = "formsBeingRead";

/** How slowly a form may come while somebody else waits for room. A poor mobile line sends 30 to 100 kB a second. */
const SLOWEST_BYTES_PER_MS = 25;
const CUT_EVERY_MS = 250;

type FormsBeingRead = {
  readonly budget: ByteBudget;
  readonly waitMs: number;
  /** Ends the forms that come too slowly. */
  readonly cutSlow: () => void;
  /** Counts a request as being read until the function that it returns is called. */
  readonly follow: (request: FastifyRequest["raw"]) => () => void;
};

/**
 * The one budget of a server for all its forms with files; who finds it used up waits for `waitMs`. Forms that have had
 * `paceMs` and come slower than 25 kB a second are cut off while somebody waits: a few open forms that send nothing would
 * keep out everybody else.
 */
export function limitUploads(
  app: FastifyInstance,
  { waitMs, paceMs = 3000 }: { waitMs: number; paceMs?: number },
): void {
  const reading = new Map<FastifyRequest["raw"], { readonly since: number; readonly bytesBefore: number }>();
  app.decorate(decorator, {
    budget: createByteBudget({ total: ALL_FORMS, each: FORMS_OF_ONE }),
    waitMs,
    follow: (request) => {
      reading.set(request, { since: performance.now(), bytesBefore: request.socket.bytesRead });
      return () => void reading.delete(request);
    },
    cutSlow: () => {
      for (const [request, { since, bytesBefore }] of reading) {
        const milliseconds = performance.now() - since;
        const bytes = request.socket.bytesRead - bytesBefore;
        if (milliseconds > paceMs && !request.complete && bytes / milliseconds < SLOWEST_BYTES_PER_MS)
          request.destroy();
      }
    },
  } satisfies FormsBeingRead);
}

/** Lets the calls that are mounted on `app` take multipart forms, which are read by `withUpload` alone. */
export async function takeUploads(app: FastifyInstance): Promise<void> {
  copyFormPieces();
  await app.register(multipart, { limits, throwFileSizeLimit: false });
}

const announcedBytes = ({ headers }: FastifyRequest) => Number(headers["content-length"] ?? LARGEST_FORM);

/** Refuses what is no form, or too large, before anything of it is read. @throws AppError `wrong_type`, `too_large`. */
export async function refuseOtherBodies(request: FastifyRequest): Promise<void> {
  if (!request.isMultipart?.()) throw new AppError("wrong_type");
  if (announcedBytes(request) > LARGEST_FORM) throw new AppError("too_large");
}

/**
 * Reads a multipart form and hands it over. Its bytes count against the process's budget until `use` is done, and are gone
 * then: nothing may still read them.
 * @throws AppError `malformed`, also when the sender has gone; or `busy` when too many forms are being read.
 */
export async function withUpload<Result>(
  request: FastifyRequest,
  names: readonly string[],
  use: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const bytes = announcedBytes(request);
  const { budget, waitMs, cutSlow, follow } = request.server.getDecorator<FormsBeingRead>(decorator);
  const cutting = setInterval(cutSlow, CUT_EVERY_MS);
  const signal = patienceWith(request, waitMs);
  const giveBack = await budget({ bytes, sender: subnetOf(request.ip), signal }).finally(() => clearInterval(cutting));
  if (giveBack === null) {
    throw request.raw.destroyed ? new AppError("malformed") : new AppError("busy", { retryAfterSeconds: 10 });
  }
  const form = { fields: {}, files: {}, faults: {} };
  const forget = follow(request.raw);
  try {
    await readForm(request, names, form).finally(forget);
    return await use(form);
  } finally {
    // Given back at once: the garbage collector would take its time.
    for (const { bytes: read } of Object.values<UploadedFile>(form.files)) (read.buffer as ArrayBuffer).resize(0);
    giveBack();
  }
}

/** Ends when the time is over, and when the sender has gone. */
function patienceWith({ raw }: FastifyRequest, waitMs: number): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  raw.once("close", () => gone.abort());
  return AbortSignal.any([gone.signal, AbortSignal.timeout(waitMs)]);
}

async function readForm(
  request: FastifyRequest,
  names: readonly string[],
  { fields, files, faults }: { [Name in keyof Upload]: Record<string, Upload[Name][string]> },
): Promise<void> {
  const most = Math.min(Number(request.headers["content-length"] ?? LARGEST_FILE), LARGEST_FILE);
  try {
    for await (const part of request.parts()) {
      const name = part.fieldname;
      if (typeof name !== "string" || name.length > LONGEST_NAME) throw new Error("a part without a name of its own");
      if (part.type === "field") {
        if (typeof part.value !== "string") throw new Error("a field that is not text");
        if (part.valueTruncated) faults[name] = ["This is longer than we can take. Please shorten it."];
        fields[name] = part.value;
      } else {
        const isSecond = Object.hasOwn(files, name);
        const bytes = await readFile(part, names.includes(name) && !isSecond ? most : 0);
        const fault = faultOf(part, { names, isSecond });
        if (fault !== null) faults[name] = [fault];
        // A file field that was left empty comes as a file without a name and without bytes.
        else if (bytes.length > 0 || part.filename) files[name] = { bytes };
      }
    }
  } catch (cause) {
    // What is still on its way is read and thrown away, so that the sender gets the answer instead of a broken line.
    request.raw.unpipe().resume();
    throw new AppError("malformed", { cause });
  }
}

/** The first `most` bytes of a file, in memory that grows with them and can be given back; the rest is read and not kept. */
async function readFile(part: MultipartFile, most: number): Promise<Buffer> {
  const memory = new ArrayBuffer(0, { maxByteLength: most });
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    const begin = memory.byteLength;
    memory.resize(Math.min(begin + chunk.length, most));
    chunk.copy(Buffer.from(memory, begin));
  }
  if (part.file.truncated) memory.resize(0);
  return Buffer.from(memory);
}

function faultOf(
  part: MultipartFile,
  { names, isSecond }: { names: readonly string[]; isSecond: boolean },
): string | null {
  if (!names.includes(part.fieldname)) return "This form takes no file here.";
  if (isSecond) return "Please choose one picture only.";
  return part.file.truncated ? "This picture is larger than 10 MB. Please choose a smaller one." : null;
}
