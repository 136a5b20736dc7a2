import { globSync, statSync } from "node:fs";

/** What the built pages are made of. */
const sources = ["src/**/*.{ts,tsx,css,svg,woff2}", "vite.config.ts", "package-lock.json"];
const built = "dist/server/render.js";

/** Builds the pages when they were never built, or when something they are made of is newer. */
export async function buildSiteWhenStale(say: (line: string) => void): Promise<void> {
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isStale = globSync(sources).some((file) => statSync(file).mtimeMs > builtAt);
  if (!isStale) return;
  say("Building the pages …");
  const { createBuilder } = await import("vite");
  const builder = await createBuilder({ logLevel: "warn" });
  await builder.buildApp();
}
