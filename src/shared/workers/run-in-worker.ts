/**
 * `module` exports the function named `run`. It gets `input`, which is plain data, changes nothing, and returns bytes.
 * Its Buffers arrive as Uint8Arrays.
 */
type Work = { readonly module: URL; readonly run: string; readonly input: unknown };

/** Runs a function in a worker, and once more if that fails, in case the worker died. */
export async function runInWorker({ module, run, input }: Work): Promise<Buffer> {
  const { threads } = await import("./threads.ts");
  const start = (): Promise<Uint8Array> => threads.run({ module: module.href, run, input });
  const { buffer, byteOffset, byteLength } = await start().catch(start);
  return Buffer.from(buffer, byteOffset, byteLength);
}
