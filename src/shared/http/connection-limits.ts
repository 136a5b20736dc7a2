import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { MULTIPART } from "./uploads.ts";

/** Browsers and proxies wait for the answer before the next request. */
const MAX_PIPELINED = 4;

/** Closes a connection that sends requests without reading answers, which would fill memory and delay others. */
export function limitPipelining(app: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>();
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request;
    const count = (underWay.get(socket) ?? 0) + 1;
    underWay.set(socket, count);
    reply.raw.once("close", () => underWay.set(socket, underWay.get(socket)! - 1));
    if (count > MAX_PIPELINED || socket.destroyed) {
      reply.hijack();
      socket.destroy();
    }
    done();
  });
}

const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
};

/** Answers bytes that are not HTTP and closes the connection, because nothing after them can be parsed. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ""] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Closes a connection whose body takes longer than `bodyMs`, or `uploadMs` for a form with files. */
export function cutSlowBodies(app: FastifyInstance, { bodyMs, uploadMs }: { bodyMs: number; uploadMs: number }) {
  app.addHook("onRequest", (request, _, done) => {
    const { raw, headers } = request;
    const schema = request.routeOptions.schema as { readonly consumes?: readonly string[] } | undefined;
    const hasBody = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
    if (hasBody) {
      const takesFiles = schema?.consumes?.includes(MULTIPART) === true;
      const timer = setTimeout(() => raw.destroy(), takesFiles ? uploadMs : bodyMs);
      raw.once("close", () => clearTimeout(timer));
    }
    done();
  });
}
