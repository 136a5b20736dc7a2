/** Runs one of the long programs: `npm run test:long -- soak 60`. Ends with 1 where it finds a fault. */
const programs: Record<string, () => Promise<{ run(words: readonly string[]): Promise<boolean> }>> = {
  crowd: () => import("./crowd.ts"),
  fuzz: () => import("./fuzz.ts"),
  soak: () => import("./soak.ts"),
};

const [name = "", ...words] = process.argv.slice(2);
const load = programs[name];
if (load === undefined) {
  process.stderr.write(`Name one of: ${Object.keys(programs).join(", ")}.\n`);
  process.exit(2);
}
process.exit((await (await load()).run(words)) ? 0 : 1);
