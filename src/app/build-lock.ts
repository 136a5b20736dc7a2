import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Runs `work` while no other process runs the work of this name. The lock is a port of this machine that is derived
 * from `name`: the system frees it however its holder ends. @throws Error if others hold it for longer than
 * `patienceMs`.
 */
export async function withLock<Result>(
  name: string,
  work: () => Promise<Result>,
  patienceMs = 180_000,
): Promise<Result> {
  // Below the ports that systems give to outgoing connections.
  const port = 10_000 + (createHash("sha256").update(name).digest().readUInt16BE() % 10_000);
  const deadline = performance.now() + patienceMs;
  const lock = createServer();
  while (!(await canListen())) {
    if (performance.now() > deadline) throw new Error(`Something else is using port ${port}, the lock of '${name}'.`);
    await pause(100);
  }
  try {
    return await work();
  } finally {
    lock.close();
    await once(lock, "close");
  }

  async function canListen(): Promise<boolean> {
    lock.listen(port, "127.0.0.1");
    return once(lock, "listening").then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EADDRINUSE") throw error;
        return false;
      },
    );
  }
}
