import { connect, type Socket } from "node:net";

type RawReply = { readonly status: number; readonly head: string; readonly body: string };

/** `answered`: a reply to every request. `closed`: the server closed the connection first. `silent`: neither. */
export type Exchange = { readonly replies: readonly RawReply[]; readonly end: "answered" | "closed" | "silent" };

/** The raw bytes. */
export type Sent = {
  readonly bytes: Buffer;
  /** The method of each request in order, which decides whether its answer has a body. */
  readonly methods: readonly string[];
  /** Nothing follows, so an incomplete request stays incomplete. */
  readonly isLast: boolean;
};

/** One keep-alive connection at a time, written byte for byte, without a library that would correct anything. */
export function createRawClient(port: number, silentMs: number) {
  let kept: Socket | undefined;

  function open(): Promise<Socket> {
    if (kept !== undefined && !kept.destroyed && kept.writable && kept.readable) return Promise.resolve(kept);
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        // A reset counts as the end of the connection.
        socket.on("error", () => undefined);
        kept = socket;
        resolve(socket);
      });
    });
  }

  async function exchange({ bytes, methods, isLast }: Sent): Promise<Exchange> {
    const socket = await open();
    return new Promise((resolve) => {
      let received = Buffer.alloc(0);
      const finish = (end: Exchange["end"], replies: readonly RawReply[]) => {
        clearTimeout(timer);
        socket.off("data", read);
        socket.off("close", close);
        if (end !== "answered" || isLast || replies.some(({ head }) => /^connection: close/im.test(head))) {
          socket.destroy();
        }
        resolve({ replies, end });
      };
      const read = (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        const replies = readReplies(received, methods);
        if (!isLast && replies.length >= methods.length) finish("answered", replies);
      };
      const close = () => finish("closed", readReplies(received, methods, true));
      const timer = setTimeout(() => finish("silent", readReplies(received, methods)), silentMs);
      socket.on("data", read);
      socket.once("close", close);
      if (isLast) socket.end(bytes);
      else socket.write(bytes);
    });
  }

  return {
    async send(sent: Sent): Promise<Exchange> {
      if (sent.isLast) kept?.destroy();
      const isReused = kept !== undefined && !kept.destroyed;
      const first = await exchange(sent);
      // A server may close a connection between two requests; the second then uses a new one (RFC 9112, 9.3.1).
      const wasLate = isReused && first.end === "closed" && first.replies.length === 0;
      return wasLate ? exchange(sent) : first;
    },
    close: () => kept?.destroy(),
  };
}

/** The complete replies in `received`; with `hasEnded` the last body may end with the connection. */
function readReplies(received: Buffer, methods: readonly string[], hasEnded = false): RawReply[] {
  const replies: RawReply[] = [];
  let from = 0;
  for (;;) {
    const until = received.indexOf("\r\n\r\n", from);
    if (until === -1) return replies;
    const head = received.toString("latin1", from, until);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
    from = until + 4;
    if (status >= 100 && status < 200) continue;
    const hasBody = methods[replies.length] !== "HEAD" && status !== 204 && status !== 304;
    const body = hasBody ? readBody(received, from, head, hasEnded) : { text: "", until: from };
    if (body === undefined) return replies;
    replies.push({ status, head, body: body.text });
    from = body.until;
  }
}

function readBody(received: Buffer, from: number, head: string, hasEnded: boolean) {
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) {
    const until = from + Number(length);
    return until <= received.length ? { text: received.toString("latin1", from, until), until } : undefined;
  }
  if (/^transfer-encoding: chunked/im.test(head)) return readChunks(received, from);
  return hasEnded ? { text: received.toString("latin1", from), until: received.length } : undefined;
}

function readChunks(received: Buffer, start: number) {
  let from = start;
  let text = "";
  for (;;) {
    const line = received.indexOf("\r\n", from);
    if (line === -1) return undefined;
    const size = Number.parseInt(received.toString("latin1", from, line), 16);
    const until = line + 2 + size + 2;
    if (until > received.length) return undefined;
    if (size === 0) return { text, until };
    text += received.toString("latin1", line + 2, until - 2);
    from = until;
  }
}
