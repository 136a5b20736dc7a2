import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { newIncidentNumber } from "#shared/http/answer-errors.ts";

/** An answered request, for the log and the metrics. `isRoutine` ones are logged only for debugging. */
export type Answered = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly isRoutine: boolean;
};

type ReadyAnswer = Answered & {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Bytes as characters (Latin 1), because Node sends a text in one piece with the headers, but a buffer in two. */
  readonly body: string | undefined;
  readonly isCurrent: () => boolean;
};

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_BODY_BYTES = 256 * 1024;
/** The approximate size of an answer besides its body. */
const OVERHEAD = 3000;

/** Lets the answer to this request be repeated to everybody, for as long as `isCurrent`. */
export type KeepReady = (request: FastifyRequest, isCurrent: () => boolean) => void;

/**
 * Repeats finished public answers without the framework, which costs several times as much as sending the bytes. The
 * framework answers a request once; the same request (address, accepted encodings, ETag) then gets the same status,
 * headers and bytes. As for a shared cache (RFC 9111), an answer must be to a GET, public, without a cookie, and depend
 * on nothing but the accepted encodings. Each repeated answer is passed to `note`. While `mayAnswer` is false, nothing
 * is repeated.
 */
export function createReadyAnswers(
  app: FastifyInstance,
  note: (answered: Answered, id: string) => void,
  mayAnswer = () => true,
) {
  const answers = new LRUCache<string, ReadyAnswer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => OVERHEAD + (body?.length ?? 0),
  });
  const kept = new WeakMap<FastifyRequest, () => boolean>();
  /** Keeps the hidden classes of requests and responses, which V8 forgets when none is alive (`returnFreeMemory`). */
  const last: { response?: ServerResponse } = {};

  const keep: KeepReady = (request, isCurrent) => void kept.set(request, isCurrent);

  /** Stores what the framework answers to requests that may be kept. Call it after all other hooks were added. */
  function store() {
    app.addHook("onSend", async (request, reply, payload) => {
      const isCurrent = kept.get(request);
      const key = isCurrent === undefined ? undefined : keyOf(request.raw);
      const headers = reply.getHeaders();
      const status = reply.statusCode;
      if (key === undefined || !isForEverybody(headers) || (status !== 200 && status !== 304)) return payload;
      if (Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES) return payload;
      const isStream = typeof (payload as Readable | undefined)?.pipe === "function";
      const body = isStream ? await buffer(payload as Readable) : (payload as Buffer | undefined);
      if (body !== undefined && !Buffer.isBuffer(body)) return payload;
      const { "content-length": _, ...others } = headers;
      const all = status === 304 ? others : { ...others, "content-length": body?.length ?? 0 };
      answers.set(key, {
        method: "GET",
        route: request.routeOptions.url ?? "unknown",
        isRoutine: isRoutine(request),
        status,
        headers: Object.entries(all).flatMap(([name, value]) => [name, String(value)]),
        body: status === 304 ? undefined : body?.toString("latin1"),
        isCurrent: isCurrent!,
      });
      return body;
    });
  }

  /** Answers if it can. A client that doesn't read its answers gets no more. */
  function answer(request: IncomingMessage, response: ServerResponse): ReadyAnswer | undefined {
    if (!mayAnswer()) return undefined;
    const key = request.socket.writableLength > 0 ? undefined : keyOf(request);
    const ready = key === undefined ? undefined : answers.get(key);
    if (ready === undefined || !ready.isCurrent()) return undefined;
    response.writeHead(ready.status, ready.headers as string[]);
    response.end(ready.body, "latin1");
    last.response = response;
    return ready;
  }

  const [handle] = app.server.listeners("request") as RequestListener[];
  app.server.removeAllListeners("request");
  app.server.on("request", (request, response) => {
    const ready = answer(request, response);
    if (ready === undefined) handle!(request, response);
    else note(ready, newIncidentNumber());
  });
  return { keep, store };
}

/** Undefined for a request that only the framework may answer. */
function keyOf({ method, url = "", headers }: IncomingMessage): string | undefined {
  const isPlain =
    method === "GET" &&
    headers.range === undefined &&
    headers.authorization === undefined &&
    headers["if-modified-since"] === undefined &&
    headers["content-length"] === undefined &&
    headers["transfer-encoding"] === undefined;
  const key = `${url}\n${headers["accept-encoding"] ?? ""}\n${headers["if-none-match"] ?? ""}`;
  return isPlain && key.length < 500 ? key : undefined;
}

/** Whether a shared cache may keep an answer with these headers, by its encoding alone. */
const isForEverybody = (headers: ReturnType<FastifyReply["getHeaders"]>) =>
  /^public\b/.test(String(headers["cache-control"])) &&
  headers["set-cookie"] === undefined &&
  /^(accept-encoding)?$/i.test(String(headers.vary ?? ""));

/** Requests that are only logged if something is wrong: files, and routes with `logLevel: "warn"`. */
export const isRoutine = ({ routeOptions }: FastifyRequest) =>
  routeOptions.logLevel === "warn" || /^\/(assets|identity)\//.test(routeOptions.url ?? "");
