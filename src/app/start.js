import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import settings from "./process-settings.json" with { type: "json" };

// JavaScript, because to read TypeScript that is not in the compile cache, Node loads a compiler for a tenth of a second.

// Settings that a process reads only at start. Several threads open pictures, and by default the C library permanently
// keeps hundreds of megabytes for each; a single arena is reused, and larger pieces are returned as soon as they are
// free. By default V8 sizes its heap by the machine's memory and lets it grow to several times what is in use: 600 MB
// under 500 clients, where 350 MB are enough with these limits (A5). About 60 MB are in use.
// Re-executes once to set them. The user's own win, and a child of another Node process is left alone.
const isSet = Object.keys(settings).every((name) => name in process.env);
if (process.platform === "linux" && !isSet && process.send === undefined) {
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, again, { ...settings, ...process.env });
}
// Before any other import, so that later starts read what this one compiles. Simulators and workers inherit it.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/start");
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// What runs is built from the source, the server too: loading a thousand files took more than a third of a start.
const { buildSiteWhenStale } = await import("./build.ts");
try {
  await buildSiteWhenStale((line) => process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`The site did not start. ${error.message}\n`);
  process.exit(1);
}
const { startSite } = await import("../../dist/server/start-site.js");
await startSite();
