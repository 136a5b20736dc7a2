type Run = (input: unknown) => Promise<Uint8Array>;

/** Runs in a thread of run-in-worker.ts. */
export default async function work({ module, run, input }: { module: string; run: string; input: unknown }) {
  const exported = (await import(module)) as Record<string, Run>;
  return exported[run]!(input);
}
