import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const CLIENT = "dist/client";
const IDENTITY = "src/shared/ui/identity";

/** The drawings under their plain addresses, because content in the database names them; and every text compressed once. */
function servedFiles(): Plugin {
  return {
    name: "served-files",
    applyToEnvironment: (environment) => environment.name === "shell",
    closeBundle() {
      for (const folder of ["illustrations", "brand", "patterns"]) {
        cpSync(join(IDENTITY, folder), join(CLIENT, "identity", folder), { recursive: true });
      }
      compressAll(CLIENT);
    },
  };
}

function compressAll(folder: string) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, name);
    if (!/\.(?:js|css|svg|json)$/.test(name) || name.startsWith(".vite") || statSync(file).size < 600) continue;
    const bytes = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  }
}

/** The browser describes no schemas as JSON Schema: without that part zod is five kilobytes less on the wire. */
function withoutJsonSchema(): Plugin {
  return {
    name: "without-json-schema",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (!/\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/.test(id)) return;
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      return {
        code: `const none = () => undefined;\nexport { ${names.map((name) => `none as ${name}`)}, none as process };`,
      };
    },
  };
}

export default defineConfig({
  plugins: [react(), withoutJsonSchema(), servedFiles()],
  publicDir: false,
  build: {
    // Small patterns travel inside the stylesheet; fonts may not, because the page's policy takes fonts from files only.
    assetsInlineLimit: (file, content) => !file.endsWith(".woff2") && content.length < 1500,
    modulePreload: false,
  },
  builder: {
    buildApp: async (builder) => {
      await builder.build(builder.environments.client!);
      await builder.build(builder.environments.shell!);
      await builder.build(builder.environments.ssr!);
    },
  },
  environments: {
    client: {
      build: {
        outDir: CLIENT,
        manifest: true,
        rolldownOptions: { input: ["src/app/browser.ts", "src/app/site.css"] },
      },
    },
    // A build of its own, so that what every page loads shares no file with what only islands load.
    shell: {
      consumer: "client",
      build: {
        outDir: CLIENT,
        emptyOutDir: false,
        manifest: ".vite/shell-manifest.json",
        rolldownOptions: { input: ["src/app/shell/shell.ts", "src/app/shell/carousels.ts"] },
      },
    },
    ssr: { build: { outDir: "dist/server", ssr: true, rolldownOptions: { input: "src/app/render.tsx" } } },
  },
});
