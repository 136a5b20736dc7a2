import { on } from "node:events";
import { enableCompileCache, flushCompileCache, setSourceMapsSupport } from "node:module";
import { resolve } from "node:path";
import packageJson from "../package.json" with { type: "json" };

// The site under `npm run dev`: it gets 'start' after a change, and 'built' once the pages are built.
const messages = on(process, "message");
process.once("disconnect", () => process.exit());
enableCompileCache("node_modules/.cache/dev");
setSourceMapsSupport(true, { nodeModules: false });
// Packages do not change: loading them ahead saves most of a second. Some are only for browsers, and fail.
await Promise.allSettled([...Object.keys(packageJson.dependencies), "react-dom/server"].map((name) => import(name)));
await messages.next();
const { startSite } = await import("#app/start-site.ts");
const { addChangesRoute } = await import("./reload/changes-route.ts");
await startSite({
  build: async () => void (await messages.next()),
  buildFolder: resolve("dist/dev"),
  addRoutes: addChangesRoute,
  announce: () => process.send?.("up"),
});
// Not at its end, because it is killed.
flushCompileCache();
