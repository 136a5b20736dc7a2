import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import type { Database } from "#shared/database/connect.ts";
import type { Files } from "#shared/database/stored-file.ts";
import { type BrandCopy, brandCopies, findBrandCopy } from "./brand-pictures.ts";
import { hashOfPicture } from "./site-brand.ts";

export type BrandFile = { readonly bytes: Buffer; readonly type: string };

const resolveFile = createRequire(import.meta.url).resolve;
const shortHash = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/**
 * The files below /brand/ that known brands use: stylesheets, fonts and copies of pictures. Their names have the hash of
 * what they are made from, so each answer holds for good. `addX` returns a file's address.
 */
export function createBrandFiles(services: { readonly database: Database; readonly files: Files }) {
  const styles = new LRUCache<string, Buffer>({ max: 20 });
  const fonts = new Map<string, Buffer>();
  const pictures = new LRUCache<string, true>({ max: 200 });

  return {
    addStyles(css: string): string {
      const name = `site-${shortHash(css)}.css`;
      styles.set(name, Buffer.from(css));
      return `/brand/${name}`;
    },

    addFont({ package: name, file }: { readonly package: string; readonly file: string }): string {
      const bytes = readFileSync(resolveFile(`${name}/files/${file}`));
      const own = file.replace(".woff2", `-${shortHash(bytes)}.woff2`);
      fonts.set(own, bytes);
      return `/brand/${own}`;
    },

    addPicture(picture: string, copy: BrandCopy): string {
      const hash = hashOfPicture(picture)!;
      pictures.set(hash, true);
      return `/brand/${copy}-${hash}.${brandCopies[copy].ending}`;
    },

    /** Null if no known brand has it. */
    async find(name: string): Promise<BrandFile | null> {
      const style = styles.get(name);
      if (style !== undefined) return { bytes: style, type: "text/css; charset=utf-8" };
      const font = fonts.get(name);
      if (font !== undefined) return { bytes: font, type: "font/woff2" };
      const [, copy, hash = ""] = /^([\w-]+)-([0-9a-f]{32})\.(?:webp|png)$/.exec(name) ?? [];
      if (!isCopy(copy) || !pictures.has(hash)) return null;
      const bytes = await findBrandCopy(services, hash, copy);
      return bytes === undefined ? null : { bytes, type: brandCopies[copy].type };
    },
  };
}

const isCopy = (name: string | undefined): name is BrandCopy => name !== undefined && Object.hasOwn(brandCopies, name);
