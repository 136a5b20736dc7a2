/** A queue for heavy work: at most `limit` tasks run at once, the others wait in the order in which they came. */
export function fewAtOnce(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= limit) await new Promise<void>((start) => waiting.push(start));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The place is handed on, so nobody who comes between takes it.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
