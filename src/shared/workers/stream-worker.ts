import { parentPort, workerData } from "node:worker_threads";
import type { StreamMessage, StreamWork } from "./stream-from-worker.ts";

type Run = (input: unknown) => AsyncGenerator<Uint8Array, unknown>;

// Runs in a thread of stream-from-worker.ts.

const { module, run, input, ahead } = workerData as StreamWork;
const port = parentPort!;
let room = ahead;
let wake = () => {};
port.on("message", () => {
  room += 1;
  wake();
});

const exported = (await import(module)) as Record<string, Run>;
const parts = exported[run]!(input);
for (;;) {
  const step = await parts.next();
  if (step.done) {
    send({ result: step.value });
    break;
  }
  if (room === 0) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  room -= 1;
  const bytes = ownBytes(step.value);
  send({ bytes }, [bytes.buffer]);
}
port.close();

/** The bytes in memory of their own, which can be moved: a copy if they share it. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  // A copy is garbage that V8 collects only once there are tens of megabytes of it.
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isAlone ? (bytes as Uint8Array<ArrayBuffer>) : Uint8Array.prototype.slice.call(bytes);
}

function send(message: StreamMessage, moved: ArrayBuffer[] = []) {
  port.postMessage(message, moved);
}
