import { enableCompileCache } from "node:module";
import { tidyMemory } from "./tidy-memory.ts";

// The process takes its own place, once, with the setting of its memory. A person's own wins; under `npm run dev` the
// process belongs to the one that watches, and stays as it is.
const isTidy = Object.keys(tidyMemory).every((name) => name in process.env);
if (process.platform === "linux" && !isTidy && process.send === undefined) {
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, again, { ...tidyMemory, ...process.env } as Record<string, string>);
}
// What one start has compiled the next one reads. So everything else is imported only now.
enableCompileCache("node_modules/.cache/start");
await import("./start-site.ts");
