import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

const builtPlace = /(file:\/\/[^\s()]+\/dist\/server\/[\w-]+\.js):(\d+):(\d+)/g;

/**
 * Makes the stacks of errors in built code name its source. Node does that too if asked (`setSourceMapsSupport`), but it
 * then reads every map at the start; here a map is read when an error first names its file.
 */
export function nameSources(): void {
  const describe = Error.prepareStackTrace!;
  const maps = new Map<string, SourceMap | null>();

  function nameSource(place: string, file: string, line: string, column: string): string {
    if (!maps.has(file)) maps.set(file, readMap(file));
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return place;
    const source = fileURLToPath(new URL(entry.originalSource, file));
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }
  Error.prepareStackTrace = (error, calls) => String(describe(error, calls)).replace(builtPlace, nameSource);
}

/** Packages have none. An error in here would take the place of the one that is described. */
function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), "utf8")));
  } catch {
    return null;
  }
}
