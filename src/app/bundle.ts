import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { EnvironmentOptions, Plugin } from "vite";

const pages = ["src/app/rendering/render.tsx", "src/app/admin/render-admin.tsx"];

/**
 * Packages that stay files of their own: they have native parts, or only some requests or jobs need them. Whatever is in
 * the bundle is loaded by every start.
 */
const apart = [
  "@node-rs/argon2",
  "sharp",
  "pg-native",
  "vite",
  "@fastify/swagger",
  "@fastify/swagger-ui",
  "@simplewebauthn/server",
  "braintree",
  "libphonenumber-js",
  "nodemailer",
  "otpauth",
  "parse5",
  "pdfkit",
  "piscina",
  "qrcode",
  "sanitize-html",
];

/** Packages of the bundle, apart from our own source: what the launch of the database needs, pages, and the rest. */
const packageChunks = [
  { name: "launch-packages", test: /node_modules\/(?:pg(?!-boss)[\w-]*|postgres-[\w-]+|split2|xtend)\// },
  { name: "page-packages", test: /node_modules\/(?:react|react-dom|scheduler|zod)\// },
  { name: "packages", test: /node_modules\// },
];

/** What `npm start` runs: our own source and the packages of a start, in a few files in `folder`. */
export function bundle(folder: string): EnvironmentOptions {
  return {
    resolve: { noExternal: true, external: apart },
    // React's other half is three times slower.
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: {
      outDir: folder,
      ssr: true,
      sourcemap: true,
      rolldownOptions: {
        input: ["src/app/start-site.ts", ...pages],
        output: {
          // All in one folder, as `keepPlaces` expects.
          chunkFileNames: "[name]-[hash].js",
          codeSplitting: { groups: packageChunks, includeDependenciesRecursively: false },
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          // The sources are beside them.
          sourcemapExcludeSources: true,
        },
      },
    },
  };
}

/** For `npm run dev`: the pages, which Node can't read from source. */
export function pagesAlone(folder: string): EnvironmentOptions {
  return { build: { outDir: folder, ssr: true, sourcemap: true, rolldownOptions: { input: pages } } };
}

/**
 * Lets bundled modules find files as in the source: workers, migrations and fonts stay where they are.
 * @throws Error (in the build) for `import.meta` in a form that would name a file of the bundle
 */
export function keepPlaces(folder: string): Plugin {
  return {
    name: "keep-places",
    applyToEnvironment: (environment) => environment.name === "ssr",
    transform: {
      filter: { id: /\/(?:src|database|simulators|dev)\/[^?]*\.tsx?$/, code: /import\.meta/ },
      handler(code, id) {
        if (/import\.meta\.(?!url|env)/.test(code)) throw new Error(`${id} must name files by import.meta.url.`);
        const place = JSON.stringify(relative(resolve(folder), id));
        // As many lines as before, so that the source map still holds.
        return { code: code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`), map: null };
      },
    },
  };
}

/** Source maps lead to our own lines. Those of packages would be most of the maps. */
export function withoutMapsOfPackages(folder: string): Plugin {
  return {
    name: "without-maps-of-packages",
    applyToEnvironment: (environment) => environment.name === "ssr",
    closeBundle() {
      for (const name of readdirSync(folder).filter((file) => /^(?:page-|launch-)?packages-[^.]+\.js$/.test(file))) {
        const file = join(folder, name);
        const code = readFileSync(file, "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, "");
        // In memory a text with other characters than ASCII takes twice as much.
        writeFileSync(file, code.replace(/[^\0-\x7f]/g, escapeCharacter));
        rmSync(`${file}.map`);
      }
    },
  };
}

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
