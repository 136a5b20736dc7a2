import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "./manifest.ts";
import { describePaymentScripts } from "./payment-scripts.ts";

export type PaymentScript = { readonly address: string; readonly integrity: string; readonly purpose: string };

export type BuiltScripts = {
  /** The hash of each script by its address, as in `integrity` attributes. */
  readonly integrity: Readonly<Record<string, string>>;
  /** Every script of ours that a page taking payments may run, with its purpose. */
  readonly payment: readonly PaymentScript[];
};

const FILE = ".vite/scripts.json";

/** Stored beside Vite's manifests, where no address leads. */
export function readScripts(clientFolder: string): BuiltScripts {
  return JSON.parse(readFileSync(join(clientFolder, FILE), "utf8")) as BuiltScripts;
}

/** Vite's manifests of pages and shell in one. @throws Error without a build. */
export function readManifest(clientFolder: string): Manifest {
  const read = (name: string) => JSON.parse(readFileSync(join(clientFolder, ".vite", name), "utf8")) as Manifest;
  return { ...read("manifest.json"), ...read("shell-manifest.json") };
}

/** Records the scripts of a build. @throws Error if a script of a payment page is not in `payment-scripts.ts`. */
export function writeScripts(clientFolder: string): void {
  const names = readdirSync(join(clientFolder, "assets")).filter((name) => name.endsWith(".js"));
  const integrity = Object.fromEntries(
    names.map((name) => [`/assets/${name}`, hashOf(readFileSync(join(clientFolder, "assets", name)))]),
  );
  const payment = describePaymentScripts(readManifest(clientFolder)).map(({ address, purpose }) => ({
    address,
    integrity: integrity[address]!,
    purpose,
  }));
  writeFileSync(join(clientFolder, FILE), JSON.stringify({ integrity, payment } satisfies BuiltScripts, null, 2));
}

/** `sha384-` and the digest in base64, as in policies and `integrity`. */
export function hashOf(bytes: Buffer | string, algorithm: "sha256" | "sha384" = "sha384"): string {
  return `${algorithm}-${createHash(algorithm).update(bytes).digest("base64")}`;
}
