import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "./manifest.ts";
import { describePaymentScripts } from "./payment-scripts.ts";

export type PaymentScript = { readonly address: string; readonly integrity: string; readonly purpose: string };

/** What the build says about its scripts. */
export type BuiltScripts = {
  /** The hash of each script by its address, as `integrity` attributes have it. */
  readonly integrity: Readonly<Record<string, string>>;
  /** Every script of ours that a page which takes payments may run, and what it is for. */
  readonly payment: readonly PaymentScript[];
};

const FILE = ".vite/scripts.json";

/** Beside Vite's manifests, which no address leads to. */
export function readScripts(clientFolder: string): BuiltScripts {
  return JSON.parse(readFileSync(join(clientFolder, FILE), "utf8")) as BuiltScripts;
}

export function readManifest(clientFolder: string): Manifest {
  const read = (name: string) => JSON.parse(readFileSync(join(clientFolder, ".vite", name), "utf8")) as Manifest;
  return { ...read("manifest.json"), ...read("shell-manifest.json") };
}

/**
 * Writes down what the build has just made.
 * @throws when a script of a page that takes payments is for nothing that `payment-scripts.ts` names.
 */
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

export function hashOf(bytes: Buffer | string, algorithm: "sha256" | "sha384" = "sha384"): string {
  return `${algorithm}-${createHash(algorithm).update(bytes).digest("base64")}`;
}
