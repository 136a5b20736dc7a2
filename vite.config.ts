import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import sharp from "sharp";
import { defineConfig, type Plugin } from "vite";
import { groundSvg, opening, openingSvg } from "#app/discovery/sharing-art.ts";
import { writeScripts } from "#app/rendering/script-files.ts";

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
      writeScripts(CLIENT);
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

const mark = join(IDENTITY, "brand/logo-mark.svg");
const lightMark = join(IDENTITY, "brand/logo-mark-light.svg");
const indigo = "#16214f";

/** The mark on telephones and tabs, and the parts that sharing pictures are put together from (`src/app/discovery/sharing.ts`). */
function rasterFiles(): Plugin {
  return {
    name: "raster-files",
    applyToEnvironment: (environment) => environment.name === "shell",
    async closeBundle() {
      await Promise.all([makeIcons(join(CLIENT, "icons")), makeSharingParts("dist/sharing")]);
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
    const paper = sharp({ create: { width, height, channels: 3, background: "#f6f7f2" } });
    return paper
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
    transform(_, id) {
      if (!/\/zod\/v4\/locales\/en\.js$/.test(id)) return;
      return { code: "export default () => ({ localeError: () => undefined });" };
    },
  };
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

/** Of zod's parsers the page's policy refuses those that compile, and no schema of ours contains itself: two kilobytes less. */
function withoutCompiler(): Plugin {
  return {
    name: "without-compiler",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (/\/zod\/v4\/core\/schemas\.js$/.test(id)) {
        const compiled = /^export const \$ZodObjectJIT = [\s\S]*?^\}\);$/m;
        if (!compiled.test(code)) throw new Error("zod compiles its parsers elsewhere now: see withoutCompiler().");
        return { code: code.replace(compiled, () => "export const $ZodObjectJIT = $ZodObject;") };
      }
      if (!/\/zod\/v4\/core\/memoizer\.js$/.test(id)) return;
      const names = [...code.matchAll(/^export (?:const|function|class) ([\w$]+)/gm)].map(([, name]) => name);
      return { code: `const none = () => undefined;\nexport { ${names.map((name) => `none as ${name}`)} };` };
    },
  };
}

/** ALTCHA's widget sets its footer, which we hide, as HTML from a string, which Trusted Types refuse: as text it may stand. */
function withoutWidgetHtml(): Plugin {
  return {
    name: "without-widget-html",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (!/\/altcha\/dist\/external\/altcha\.js$/.test(id)) return;
      const set = /parent_node\.innerHTML = \/\*\* @type \{string\} \*\/\s+value;/;
      if (!set.test(code)) throw new Error("ALTCHA sets HTML elsewhere now: see withoutWidgetHtml().");
      return { code: code.replace(set, "parent_node.textContent = value;") };
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
    test: /node_modules\/(?:zod|react-hook-form|react|react-dom|scheduler)\/|\/src\/app\/rendering\/(?:browser|islands)|vite\/preload|\/shared\/ui\/(?:draft-storage|feedback|form-(?:error|field|later|legal|number|resolver|steps|without)|icon|session-record)|\/shared\/captcha\/ui\/(?:seen-captcha|use-captcha)|\/shared\/places\/ui\/form-place|\/shared\/(?:events\/event-times|keep-together|money|paths|contract\/(?:payer|plain-line)|telephone)|\/features\/tickets\/(?:draft|order|sale|ui\/draft-storage)/,
    minShareCount: 1,
  },
  {
    name: "volunteering",
    test: /\/features\/volunteering\/(?:application|draft|steps)\.ts/,
    minShareCount: 2,
  },
  {
    name: "accounts",
    test: /\/features\/accounts\/(?:forms|mobile|person|return-path|ui\/(?:account-form|form-password|leave|load-calls|preferred|reset-email|use-|entrance\/use-|profile\/with-))|\/shared\/ui\/session-record/,
    minShareCount: 2,
  },
  {
    name: "pay",
    test: /\/payments\/checkout\/ui\/|\/shared\/captcha\/ui\/captcha-box|\/shared\/ui\/load-script/,
    minShareCount: 2,
  },
  {
    name: "calls",
    test: /\/shared\/(?:contract|errors|captcha\/ui\/captcha-on-demand|ui\/(?:ask|send))|\/payments\/checkout\/contract|\/features\/tickets\/contract/,
    minShareCount: 2,
  },
  {
    name: "account-calls",
    test: /\/features\/accounts\/contract/,
    minShareCount: 2,
  },
];

export default defineConfig({
  plugins: [
    react(),
    withoutJsonSchema(),
    withoutLocale(),
    withoutCompiler(),
    withoutWidgetHtml(),
    servedFiles(),
    rasterFiles(),
  ],
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
        outDir: CLIENT,
        emptyOutDir: false,
        manifest: ".vite/shell-manifest.json",
        rolldownOptions: {
          input: [
            "src/app/shell/shell.ts",
            "src/app/shell/carousels.ts",
            "src/app/shell/gallery.ts",
            "src/app/shell/history-range.ts",
            "src/app/shell/login-start.ts",
            "src/app/shell/member.ts",
            "src/app/shell/your-time.ts",
          ],
        },
      },
    },
    ssr: { build: { outDir: "dist/server", ssr: true, rolldownOptions: { input: "src/app/rendering/render.tsx" } } },
  },
});
