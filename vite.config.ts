import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import sharp from "sharp";
import { defineConfig, type Plugin } from "vite";
import { bundle, keepPlaces, pagesAlone, withoutMapsOfPackages } from "#app/bundle.ts";
import { groundSvg, opening, openingSvg } from "#app/discovery/sharing-art.ts";
import { writeScripts } from "#app/rendering/script-files.ts";

const IDENTITY = "src/shared/ui/identity";

/** The drawings under their plain addresses, because content in the database names them. */
function identityFiles(client: string): Plugin {
  return {
    name: "identity-files",
    applyToEnvironment: (environment) => environment.name === "shell",
    closeBundle() {
      for (const folder of ["illustrations", "brand", "patterns"]) {
        cpSync(join(IDENTITY, folder), join(client, "identity", folder), { recursive: true });
      }
    },
  };
}

/** Source maps put where nobody is served them, every text compressed once, and the hash of every script. */
function finishedFiles(folder: string, client: string): Plugin {
  return {
    name: "finished-files",
    applyToEnvironment: (environment) => environment.name === "shell",
    closeBundle: {
      order: "post",
      handler() {
        moveMaps(join(client, "assets"), join(folder, "maps"));
        compressAll(client);
        writeScripts(client);
      },
    },
  };
}

/** `npm run trace` reads them there. */
function moveMaps(assets: string, maps: string) {
  rmSync(maps, { recursive: true, force: true });
  mkdirSync(maps);
  for (const name of readdirSync(assets).filter((file) => file.endsWith(".map"))) {
    renameSync(join(assets, name), join(maps, name));
  }
}

function compressAll(folder: string) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, name);
    if (!/\.(?:js|css|svg|json|wasm)$/.test(name) || name.startsWith(".vite") || statSync(file).size < 600) continue;
    const bytes = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  }
}

const mark = join(IDENTITY, "brand/logo-mark.svg");
const lightMark = join(IDENTITY, "brand/logo-mark-light.svg");
const indigo = "#16214f";

/** The mark on telephones and tabs, and the parts that sharing pictures are put together from (`src/app/discovery/sharing.ts`). */
function rasterFiles(folder: string): Plugin {
  return {
    name: "raster-files",
    applyToEnvironment: (environment) => environment.name === "shell",
    async closeBundle() {
      await Promise.all([makeIcons(join(folder, "client/icons")), makeSharingParts(join(folder, "sharing"))]);
    },
  };
}

async function makeIcons(folder: string) {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, bytes: Buffer) => writeFileSync(join(folder, name), bytes);
  const favicon = drawMark(join(IDENTITY, "brand/favicon.svg"), 32);
  write("icon-192.png", await drawMark(mark, 192));
  write("icon-512.png", await drawMark(mark, 512));
  // Launchers cut a circle of 80 % out of it, so the mark stays well within.
  write("icon-maskable-512.png", await onIndigo(await drawMark(lightMark, 360), 512));
  write("apple-touch-icon.png", await onIndigo(await drawMark(lightMark, 140), 180));
  write("favicon.ico", asIco(await favicon, 32));
}

/** SVG is drawn at its own size in pixels times density / 72. */
function drawMark(file: string, size: number): Promise<Buffer> {
  return sharp(file, { density: (72 * size) / 64 })
    .resize(size)
    .png({ compressionLevel: 9 })
    .toBuffer();
}

function onIndigo(input: Buffer, size: number): Promise<Buffer> {
  return sharp({ create: { width: size, height: size, channels: 3, background: indigo } })
    .composite([{ input }])
    .png({ palette: true })
    .toBuffer();
}

/** One PNG in the folder of an icon file: https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10) */
function asIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([size, size], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

async function makeSharingParts(folder: string) {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, bytes: Buffer) => writeFileSync(join(folder, `${name}.png`), bytes);
  const pattern = (name: string) => readFileSync(join(IDENTITY, "patterns", `${name}.svg`), "utf8");
  const ground = groundSvg({ tiles: pattern("khatam-on-feroza"), border: pattern("border-ajrak") });
  write("ground", await sharp(Buffer.from(ground)).png().toBuffer());
  write("opening", await sharp(Buffer.from(openingSvg())).png().toBuffer());
  write("mark", await drawMark(lightMark, 60));
  const drawings = join(IDENTITY, "illustrations");
  const names = readdirSync(drawings).flatMap((file) => /^(.+)\.svg$/.exec(file)?.[1] ?? []);
  await Promise.all(names.map(async (name) => write(name, await cutToOpening(drawings, name))));
}

/** Two drawings bring an arch of their own: only what stands inside it goes into ours. Parts of their width and height. */
const insideArches: Readonly<Record<string, { left: number; top: number; width: number; height: number }>> = {
  "hero-girl-reading": { left: 0.16, top: 0.2, width: 0.68, height: 0.76 },
  "chairman-portrait": { left: 0.12, top: 0.07, width: 0.76, height: 0.93 },
};

async function cutToOpening(folder: string, name: string): Promise<Buffer> {
  const file = join(folder, `${name}.svg`);
  const { width, height } = opening;
  if (name.startsWith("spot-")) {
    const spot = await sharp(file, { density: 90 })
      .resize(width - 40)
      .png()
      .toBuffer();
    const canvas = sharp({ create: { width, height, channels: 3, background: "#f6f7f2" } });
    return canvas
      .composite([{ input: spot, left: 20, top: 108 }])
      .png({ palette: true })
      .toBuffer();
  }
  const drawing = sharp(file, { density: 90 });
  const inside = insideArches[name];
  if (inside !== undefined) {
    const whole = await drawing.metadata();
    drawing.extract({
      left: Math.round(inside.left * whole.width),
      top: Math.round(inside.top * whole.height),
      width: Math.round(inside.width * whole.width),
      height: Math.round(inside.height * whole.height),
    });
  }
  return drawing.resize({ width, height }).flatten({ background: "#f6f7f2" }).png({ palette: true }).toBuffer();
}

/** Every rule that a person can break says so in a sentence of ours: zod's own, a kilobyte of them, are for nobody. */
function withoutLocale(): Plugin {
  return {
    name: "without-locale",
    applyToEnvironment: (environment) => environment.name === "client",
    transform: {
      filter: { id: /\/zod\/v4\/locales\/en\.js$/ },
      handler: () => ({ code: "export default () => ({ localeError: () => undefined });", map: null }),
    },
  };
}

/** The browser describes no schemas as JSON Schema: without that part zod is five kilobytes less on the wire. */
function withoutJsonSchema(): Plugin {
  return {
    name: "without-json-schema",
    applyToEnvironment: (environment) => environment.name === "client",
    transform: {
      filter: { id: /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/ },
      handler(code) {
        const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
        return {
          code: `const none = () => undefined;\nexport { ${names.map((name) => `none as ${name}`)}, none as process };`,
          map: null,
        };
      },
    },
  };
}

/** Of zod's parsers the page's policy refuses those that compile, and no schema of ours contains itself: two kilobytes less. */
function withoutCompiler(): Plugin {
  return {
    name: "without-compiler",
    applyToEnvironment: (environment) => environment.name === "client",
    transform: {
      filter: { id: /\/zod\/v4\/core\/(?:schemas|memoizer)\.js$/ },
      handler(code, id) {
        if (id.endsWith("schemas.js")) {
          const compiled = /^export const \$ZodObjectJIT = [\s\S]*?^\}\);$/m;
          if (!compiled.test(code)) throw new Error("zod compiles its parsers elsewhere now: see withoutCompiler().");
          return { code: code.replace(compiled, () => "export const $ZodObjectJIT = $ZodObject;"), map: null };
        }
        const names = [...code.matchAll(/^export (?:const|function|class) ([\w$]+)/gm)].map(([, name]) => name);
        return {
          code: `const none = () => undefined;\nexport { ${names.map((name) => `none as ${name}`)} };`,
          map: null,
        };
      },
    },
  };
}

/** Formats are written `z.email()` here, not `z.string().email()`, which keeps every format in the file: a kilobyte less. */
function withoutFormatMethods(): Plugin {
  return {
    name: "without-format-methods",
    applyToEnvironment: (environment) => environment.name === "client",
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        const methods = /(\("ZodString", \(inst, def\) => \{[\s\S]*?^\}), \{\n {4}email\([\s\S]*?^\}\);$/m;
        if (!methods.test(code)) throw new Error("zod has its formats elsewhere now: see withoutFormatMethods().");
        return { code: code.replace(methods, "$1);"), map: null };
      },
    },
  };
}

/** ALTCHA's widget sets its footer, which we hide, as HTML from a string, which Trusted Types refuse: as text it may stand. */
function withoutWidgetHtml(): Plugin {
  return {
    name: "without-widget-html",
    applyToEnvironment: (environment) => environment.name === "client",
    transform: {
      filter: { id: /\/altcha\/dist\/external\/altcha\.js$/ },
      handler(code) {
        const set = /parent_node\.innerHTML = \/\*\* @type \{string\} \*\/\s+value;/;
        if (!set.test(code)) throw new Error("ALTCHA sets HTML elsewhere now: see withoutWidgetHtml().");
        return { code: code.replace(set, "parent_node.textContent = value;"), map: null };
      },
    },
  };
}

/** What starts all forms needs no other file of ours: if that needed it in turn, they would start in the wrong order. */
function withoutCycle(): Plugin {
  return {
    name: "without-cycle",
    applyToEnvironment: (environment) => environment.name === "client",
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk" || file.name !== "browser" || file.imports.length === 0) continue;
        const needed = file.imports.flatMap((name) => Object.keys((bundle[name] as typeof file).modules));
        throw new Error(`Add to 'browser' in sharedChunks what it needs of: ${needed.join(", ")}`);
      }
    },
  };
}

/**
 * Split by who needs what, each form would fetch a dozen files. So what all forms need travels with what starts them, and
 * what the pages of accounts share is one file, and one for what they send. What one form alone needs stays apart.
 */
const sharedChunks = [
  {
    name: "browser",
    test: /node_modules\/(?:zod|react|react-dom|scheduler)\/|\/src\/app\/(?:rendering\/browser|islands|shell\/not-loaded)|\/features\/\w+\/ui\/islands|vite\/preload|\/shared\/ui\/(?:browser-storage|feedback|after-press|form-(?:actions|error|field|legal|without)|icon|session-record|use-(?:focus|form|load|on-mount))|\/shared\/captcha\/ui\/(?:seen-captcha|use-captcha)|\/shared\/places\/ui\/form-place|\/shared\/(?:language|money|paths|contract\/(?:latin-digits|messages|payer|phone-number|plain-line|postcode)|telephone)|\/features\/(?:accounts\/person|tickets\/(?:draft|order|ui\/draft-storage))\./,
    minShareCount: 1,
  },
  {
    name: "wizard",
    test: /\/shared\/ui\/(?:form-steps|wizard)/,
    minShareCount: 2,
  },
  {
    name: "volunteering",
    test: /\/features\/volunteering\/(?:application|draft|steps)\.ts/,
    minShareCount: 2,
  },
  {
    name: "accounts",
    test: /\/features\/accounts\/(?:forms|mobile|return-path|ui\/(?:account-form|form-password|leave|load-calls|preferred|reset-email|use-|entrance\/use-|profile\/with-))|\/shared\/ui\/session-record/,
    minShareCount: 2,
  },
  {
    name: "pay",
    test: /\/payments\/checkout\/ui\/(?!known-person)|\/shared\/captcha\/ui\/captcha-box/,
    minShareCount: 2,
  },
  {
    name: "pictures",
    test: /\/identity\/(?:brand|illustrations)\//,
    minShareCount: 2,
  },
  {
    name: "calls",
    test: /\/shared\/(?:contract|errors|captcha\/ui\/captcha-on-demand|ui\/(?:ask|send))|\/features\/accounts\/ui\/send-to-login|\/payments\/checkout\/contract|\/features\/tickets\/contract/,
    minShareCount: 2,
  },
  {
    name: "account-calls",
    test: /\/features\/accounts\/contract|\/shared\/passkeys\/contract/,
    minShareCount: 2,
  },
];

/**
 * The mode `development` is that of `npm run dev`, which builds what has changed into a folder of its own: nothing is made
 * small, and icons are drawn once.
 */
export default defineConfig(({ mode }) => {
  const isDevelopment = mode === "development";
  const folder = isDevelopment ? "dist/dev" : "dist";
  const client = join(folder, "client");
  const server = join(folder, "server");
  const areRastersDrawn = isDevelopment && existsSync(join(folder, "sharing"));
  return {
    plugins: [
      react(),
      withoutJsonSchema(),
      withoutLocale(),
      withoutCompiler(),
      withoutFormatMethods(),
      withoutWidgetHtml(),
      withoutCycle(),
      identityFiles(client),
      areRastersDrawn ? [] : rasterFiles(folder),
      isDevelopment ? [] : [finishedFiles(folder, client), keepPlaces(server), withoutMapsOfPackages(server)],
    ],
    publicDir: false,
    build: {
      // Small patterns travel inside the stylesheet; fonts may not, because the page's policy takes fonts from files only.
      assetsInlineLimit: (file, content) => !file.endsWith(".woff2") && content.length < 1500,
      modulePreload: false,
      // On a busy machine they would be half a page of a first start.
      rolldownOptions: { checks: { bundlerTimings: false } },
      ...(isDevelopment ? { minify: false, emptyOutDir: false, reportCompressedSize: false } : {}),
      sourcemap: isDevelopment ? false : "hidden",
    },
    builder: {
      buildApp: async (builder) => {
        await builder.build(builder.environments.client!);
        await builder.build(builder.environments.admin!);
        await builder.build(builder.environments.shell!);
        await builder.build(builder.environments.ssr!);
      },
    },
    environments: {
      client: {
        build: {
          outDir: client,
          manifest: true,
          rolldownOptions: {
            input: ["src/app/rendering/browser.ts", "src/app/site.css"],
            output: { codeSplitting: { groups: sharedChunks, includeDependenciesRecursively: false } },
          },
        },
      },
      // A build of its own, so that what every page loads shares no file with what only islands load.
      shell: {
        consumer: "client",
        build: {
          outDir: client,
          emptyOutDir: false,
          manifest: ".vite/shell-manifest.json",
          rolldownOptions: {
            input: ["src/app/shell/shell.ts", ...globSync("src/**/*.script.ts")],
          },
        },
      },
      // A build of its own, so that no file of a public page depends on the back office.
      admin: {
        consumer: "client",
        build: {
          outDir: client,
          emptyOutDir: false,
          manifest: ".vite/admin-manifest.json",
          rolldownOptions: {
            input: ["src/admin/styles/admin.css", ...globSync("src/**/*.admin.ts")],
          },
        },
      },
      ssr: isDevelopment ? pagesAlone(server) : bundle(server),
    },
  };
});
