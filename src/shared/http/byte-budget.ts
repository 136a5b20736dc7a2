type Wanted = {
  readonly bytes: number;
  /** Whose bytes they are. */
  readonly sender: string;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
};

/** Resolves to the function that gives the bytes back, or to null when `signal` came first. */
export type ByteBudget = (wanted: Wanted) => Promise<(() => void) | null>;

/**
 * So many bytes may be held at once in `total`, and so many of one sender (`each`, or a single piece that is larger). Who
 * asks for more than is left waits in line, in the order of coming; who has their share in use holds up nobody else.
 */
export function createByteBudget({ total, each }: { total: number; each: number }): ByteBudget {
  type Waiting = { readonly bytes: number; readonly sender: string; readonly start: () => void };
  const line: Waiting[] = [];
  const held = new Map<string, number>();
  let left = total;

  function take(bytes: number, sender: string): () => void {
    let isHeld = true;
    left -= bytes;
    held.set(sender, (held.get(sender) ?? 0) + bytes);
    return () => {
      if (!isHeld) return;
      isHeld = false;
      left += bytes;
      const rest = held.get(sender)! - bytes;
      if (rest > 0) held.set(sender, rest);
      else held.delete(sender);
      serve();
    };
  }

  function serve() {
    const atTheirShare = new Set<string>();
    for (const waiting of [...line]) {
      const { bytes, sender } = waiting;
      const own = held.get(sender) ?? 0;
      if (own > 0 && own + bytes > each) atTheirShare.add(sender);
      if (atTheirShare.has(sender)) continue;
      if (bytes > left) return;
      line.splice(line.indexOf(waiting), 1);
      waiting.start();
    }
  }

  return ({ bytes: wanted, sender, signal }) =>
    new Promise((resolve) => {
      const bytes = Math.min(wanted, total);
      const giveUp = () => {
        line.splice(line.indexOf(waiting), 1);
        resolve(null);
        serve();
      };
      const waiting: Waiting = {
        bytes,
        sender,
        start: () => {
          signal.removeEventListener("abort", giveUp);
          resolve(take(bytes, sender));
        },
      };
      if (signal.aborted) return resolve(null);
      signal.addEventListener("abort", giveUp, { once: true });
      line.push(waiting);
      serve();
    });
}
