import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";

const segmentBytes = 16_777_216;

export async function readPacked(file: string): Promise<Buffer> {
  return promisify(zstdDecompress)(await readFile(file), { maxOutputLength: segmentBytes });
}

/** The content of a file of the archive, packed or not; null if it is not there. @throws Error if it is damaged */
export async function readArchived(folder: string, name: string): Promise<Buffer | null> {
  // In this order: packing may come between the two.
  const whole = await readFile(join(folder, name)).catch(orMissing);
  return whole ?? (await readPacked(join(folder, `${name}.zst`)).catch(orMissing));
}

function orMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
