import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";

/**
 * Finds the place in our source for every `NAME.js:LINE:COLUMN` in a browser's error. Places of another build stay as they
 * are, because file names contain a hash.
 */
export function trace(text: string, maps: string): string {
  return text.replace(
    /(?:[^\s()]*\/)?([\w.-]+\.js):(\d+):(\d+)/g,
    (place: string, name: string, line: string, column: string) => {
      const file = join(maps, `${name}.map`);
      if (!existsSync(file)) return place;
      const origin = new SourceMap(JSON.parse(readFileSync(file, "utf8"))).findOrigin(Number(line), Number(column));
      if (!("fileName" in origin)) return place;
      return `${origin.fileName.replace(/^(\.\.\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}`;
    },
  );
}

if (import.meta.main) {
  const given = process.argv.slice(2).join("\n") || readFileSync(process.stdin.fd, "utf8");
  process.stdout.write(`${trace(given, "dist/maps").trimEnd()}\n`);
}
