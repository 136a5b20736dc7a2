type Wanted = {
  readonly bytes: number;
  /** Whose budget they count against. */
  readonly sender: string;
  readonly signal: AbortSignal;
};

/** Resolves to a function that returns the bytes, or to null if `signal` was aborted first. */
export type ByteBudget = (wanted: Wanted) => Promise<(() => void) | null>;

/**
 * At most `total` bytes may be held at the same time, and at most `each` by one sender (or one larger piece). Others
 * wait in order of arrival; a sender with a full share does not hold up the rest.
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
