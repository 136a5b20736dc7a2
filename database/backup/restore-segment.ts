import { writeFile } from "node:fs/promises";
import { readArchived } from "./archived-file.ts";

// PostgreSQL's restore_command: puts one file of the archive where the server wants it.
/** The archive ends before this file, which is how PostgreSQL learns that it does. */
const MISSING = 1;
/** Above 125 PostgreSQL gives up, instead of taking this for the end of the archive. */
const DAMAGED = 200;

const [folder = "", name = "", target = ""] = process.argv.slice(2);
process.exitCode = await readArchived(folder, name).then(
  async (bytes) => {
    if (bytes === null) return MISSING;
    await writeFile(target, bytes);
    return 0;
  },
  (error: Error) => {
    process.stderr.write(`${name} in the archive is damaged: ${error.message}\n`);
    return DAMAGED;
  },
);
