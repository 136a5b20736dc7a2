import { on } from "node:events";
import { Worker } from "node:worker_threads";

/** What the thread is started with. */
export type StreamWork = {
  readonly module: string;
  readonly run: string;
  readonly input: unknown;
  /** How many parts it may send before the first is read. */
  readonly ahead: number;
};

export type StreamMessage = { readonly bytes: Uint8Array } | { readonly result: unknown };

const PARTS_AHEAD = 4;

/**
 * Runs an async generator of bytes in a thread of its own, so that minutes of work do not hold up what this thread
 * answers. `module` exports the function named `run`, which gets `input` as plain data. It goes on only as its bytes are
 * read, and ends once they are not read any more. Returns what the generator returns; `Result` says its type. @throws
 * what it throws, with its message.
 */
export async function* streamFromWorker<Result>({
  module,
  run,
  input,
  signal,
}: {
  readonly module: URL;
  readonly run: string;
  readonly input: unknown;
  /** Ends the thread, and throws. */
  readonly signal?: AbortSignal | undefined;
}): AsyncGenerator<Buffer, Result> {
  const work: StreamWork = { module: module.href, run, input, ahead: PARTS_AHEAD };
  const worker = new Worker(new URL("./stream-worker.ts", import.meta.url), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  });
  try {
    const messages = on(worker, "message", { close: ["exit"], ...(signal && { signal }) });
    for await (const [message] of messages as AsyncIterable<[StreamMessage]>) {
      if ("result" in message) return message.result as Result;
      const { buffer, byteOffset, byteLength } = message.bytes;
      yield Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
      worker.postMessage("read");
    }
    throw new Error("The thread ended before its work was done.");
  } finally {
    await worker.terminate();
  }
}
