import { Dicer } from "@fastify/busboy";
import multipart, { type MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#shared/errors.ts";
import { type ByteBudget, createByteBudget } from "./byte-budget.ts";
import { subnetOf } from "./client-address.ts";

/** A file as received: only its bytes can be trusted. */
export type UploadedFile = { readonly bytes: Buffer };

/**
 * A whole form with files. `faults` are messages about refused files, by their names on the wire; of several with the
 * same name the second is 'name.2'. `fileNames` are what the sender calls them.
 */
export type Upload = {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, UploadedFile>>;
  readonly faults: Readonly<Record<string, string[]>>;
  readonly fileNames: Readonly<Record<string, string>>;
};

export const MULTIPART = "multipart/form-data";
const MEGABYTE = 1024 * 1024;
export const MAX_FILE_BYTES = 10 * MEGABYTE;
const limits = { fileSize: MAX_FILE_BYTES, fieldSize: 64 * 1024, fields: 40, files: 4, parts: 44, headerPairs: 20 };
const MAX_NAME_LENGTH = 100;
const MAX_FORM_BYTES = 2 * MAX_FILE_BYTES + MEGABYTE;
/** Limits for all forms being read in one process, and for those from one network address. */
const ALL_FORMS = 48 * MEGABYTE;
const FORMS_OF_ONE = ALL_FORMS / 3;
const decorator = "formsBeingRead";

/** The slowest permitted form while others wait. A poor mobile connection sends 30 to 100 kB a second. */
const SLOWEST_BYTES_PER_MS = 25;
const CUT_EVERY_MS = 250;

type FormsBeingRead = {
  readonly budget: ByteBudget;
  readonly waitMs: number;
  readonly cutSlow: () => void;
  /** Tracks a request until the returned function is called. */
  readonly follow: (request: FastifyRequest["raw"]) => () => void;
};

/**
 * The shared budget of all forms with files; a form waits up to `waitMs` for its part. While others wait, forms older
 * than `paceMs` and slower than 25 kB a second are cut off: otherwise a few idle forms could keep everybody out.
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

/** Lets the calls mounted on `app` take multipart forms; `withUpload` reads them. */
export async function takeUploads(app: FastifyInstance): Promise<void> {
  copyFormPieces();
  await app.register(multipart, { limits, throwFileSizeLimit: false });
}

const announcedBytes = ({ headers }: FastifyRequest) => Number(headers["content-length"] ?? MAX_FORM_BYTES);

/** Refuses other bodies and too large forms before reading them. @throws AppError `wrong_type`, `too_large`. */
export async function refuseOtherBodies(request: FastifyRequest): Promise<void> {
  if (!request.isMultipart?.()) throw new AppError("wrong_type");
  if (announcedBytes(request) > MAX_FORM_BYTES) throw new AppError("too_large");
}

/**
 * Reads a multipart form and passes it to `use`. Its bytes count against the budget until `use` is done, and must not
 * be read afterwards.
 * @throws AppError `malformed`, also if the sender has gone; `busy` if too many forms are being read.
 */
export async function withUpload<Result>(
  request: FastifyRequest,
  names: readonly string[],
  use: (upload: Upload) => Promise<Result>,
  { maxOfEach = 1 }: { maxOfEach?: number } = {},
): Promise<Result> {
  const giveBack = await reserve(request, announcedBytes(request));
  const form = { fields: {}, files: {}, faults: {}, fileNames: {} };
  const forget = formsBeingRead(request).follow(request.raw);
  try {
    await readForm(request, { names, maxOfEach }, form).finally(forget);
    return await use(form);
  } finally {
    // Freed immediately, because garbage collection takes time.
    for (const { bytes: read } of Object.values<UploadedFile>(form.files)) (read.buffer as ArrayBuffer).resize(0);
    giveBack();
  }
}

/**
 * Makes bodies of more than `freeBytes` share the memory of forms with files, until they are answered. Those with files
 * do so anyway.
 */
export function limitLongBodies(
  app: FastifyInstance,
  { freeBytes, bodyLimit }: { freeBytes: number; bodyLimit: number },
): void {
  app.addHook("preParsing", async (request, reply) => {
    const { "content-length": length, "transfer-encoding": coding } = request.headers;
    const bytes = Number(length ?? (coding === undefined ? 0 : bodyLimit));
    // Longer ones are refused before they are read.
    if (bytes <= freeBytes || bytes > bodyLimit || request.isMultipart?.()) return;
    const giveBack = await reserve(request, bytes);
    const forget = formsBeingRead(request).follow(request.raw);
    const end = () => {
      forget();
      giveBack();
    };
    if (reply.raw.closed) end();
    else reply.raw.once("close", end);
  });
}

const formsBeingRead = ({ server }: FastifyRequest) => server.getDecorator<FormsBeingRead>(decorator);

/** @throws AppError `malformed` if the sender has gone; `busy` if too many forms are being read. */
async function reserve(request: FastifyRequest, bytes: number): Promise<() => void> {
  const { budget, waitMs, cutSlow } = formsBeingRead(request);
  const cutting = setInterval(cutSlow, CUT_EVERY_MS);
  const signal = patienceWith(request, waitMs);
  const giveBack = await budget({ bytes, sender: subnetOf(request.ip), signal }).finally(() => clearInterval(cutting));
  if (giveBack === null) {
    throw request.raw.destroyed ? new AppError("malformed") : new AppError("busy", { retryAfterSeconds: 10 });
  }
  return giveBack;
}

/** Aborts after `waitMs`, or when the sender has gone. */
function patienceWith({ raw }: FastifyRequest, waitMs: number): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  raw.once("close", () => gone.abort());
  return AbortSignal.any([gone.signal, AbortSignal.timeout(waitMs)]);
}

async function readForm(
  request: FastifyRequest,
  { names, maxOfEach }: { names: readonly string[]; maxOfEach: number },
  { fields, files, faults, fileNames }: { [Name in keyof Upload]: Record<string, Upload[Name][string]> },
): Promise<void> {
  const maxBytes = Math.min(Number(request.headers["content-length"] ?? MAX_FILE_BYTES), MAX_FILE_BYTES);
  const counts = new Map<string, number>();
  const maxFiles = Math.max(limits.files, names.length * maxOfEach);
  try {
    for await (const part of request.parts({ limits: { files: maxFiles, parts: limits.fields + maxFiles } })) {
      const name = part.fieldname;
      if (typeof name !== "string" || name.length > MAX_NAME_LENGTH)
        throw new Error("a part without a name of its own");
      if (part.type === "field") {
        if (typeof part.value !== "string") throw new Error("a field that is not text");
        if (part.valueTruncated) faults[name] = ["This is too long. Please shorten it."];
        fields[name] = part.value;
      } else {
        const count = (counts.get(name) ?? 0) + 1;
        const isOneTooMany = count > maxOfEach;
        const key = count === 1 || isOneTooMany ? name : `${name}.${count}`;
        const bytes = await readFile(part, names.includes(name) && !isOneTooMany ? maxBytes : 0);
        const fault = faultOf(part, { names, isOneTooMany });
        // An empty file field arrives as a file without a name and without bytes.
        const isEmpty = bytes.length === 0 && !part.filename;
        if (fault !== null) faults[key] = [fault];
        else if (!isEmpty) files[key] = { bytes };
        if (fault === null && isEmpty) continue;
        counts.set(name, count);
        fileNames[key] = part.filename ?? "";
      }
    }
  } catch (cause) {
    // Reads and discards the rest, so that the sender gets the answer instead of a lost connection.
    request.raw.unpipe().resume();
    throw new AppError("malformed", { cause });
  }
}

/** Reads the first `maxBytes` bytes of a file into memory that grows with them and can be freed; discards the rest. */
async function readFile(part: MultipartFile, maxBytes: number): Promise<Buffer> {
  const memory = new ArrayBuffer(0, { maxByteLength: maxBytes });
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    const begin = memory.byteLength;
    memory.resize(Math.min(begin + chunk.length, maxBytes));
    chunk.copy(Buffer.from(memory, begin));
  }
  if (part.file.truncated) memory.resize(0);
  return Buffer.from(memory);
}

function faultOf(
  part: MultipartFile,
  { names, isOneTooMany }: { names: readonly string[]; isOneTooMany: boolean },
): string | null {
  if (!names.includes(part.fieldname)) return "This field does not accept a file.";
  if (isOneTooMany) return "Please choose one picture only.";
  return part.file.truncated ? "This picture is larger than 10 MB. Please choose a smaller one." : null;
}

type Info = (this: unknown, isMatch: boolean, data?: Buffer, start?: number, end?: number) => void;

/** Longer than any boundary with its prefix (RFC 2046: 70 characters and "\r
--"). */
const MAX_LOOKBEHIND = 128;

/**
 * Works around a bug of the form parser: it passes on a view of the buffer in which it keeps a possible boundary, and
 * overwrites it before it is read, so a picture could have wrong bytes. Such short pieces are copied here.
 */
function copyFormPieces(): void {
  const parser = Dicer.prototype as Dicer & { _oninfo: Info & { copies?: true } };
  const handOn = parser._oninfo;
  if (handOn.copies) return;
  parser._oninfo = function (isMatch, data, start = 0, end = 0) {
    const isShort = data !== undefined && end - start <= MAX_LOOKBEHIND;
    if (isShort) handOn.call(this, isMatch, Buffer.from(data.subarray(start, end)), 0, end - start);
    else handOn.call(this, isMatch, data, start, end);
  };
  parser._oninfo.copies = true;
}
