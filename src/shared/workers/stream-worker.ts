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
  // A copy of its own, because the bytes may lie in memory that others use too.
  const bytes = Uint8Array.prototype.slice.call(step.value);
  send({ bytes }, [bytes.buffer]);
}
port.close();

function send(message: StreamMessage, moved: ArrayBuffer[] = []) {
  port.postMessage(message, moved);
}
