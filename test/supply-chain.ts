import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));

/** One package of package-lock.json. */
export type Locked = {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
};
type Lock = { readonly packages: Readonly<Record<string, Locked>> };
type PackageManifest = {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly allowScripts: Readonly<Record<string, boolean>>;
};

export const readLock = (): Lock => read("package-lock.json");
/** What npm says it installed, which may differ from the lock file. */
export const readInstalled = (): Lock => read("node_modules/.package-lock.json");
export const readPackageManifest = (): PackageManifest => read("package.json");

/** Licences that may be in the tree. LGPL is that of libvips, which sharp links dynamically; OFL is that of fonts. */
const allowedLicences = new Set(
  "MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 MPL-2.0 LGPL-3.0-or-later OFL-1.1 CC0-1.0 Zlib".split(
    " ",
  ),
);
/** Licences that the lock file lacks, read from the package's LICENSE. */
const unstatedLicences: Readonly<Record<string, string>> = { "png-js": "MIT" };

export const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

function licenceOf(path: string, { license }: Locked): string | undefined {
  return license ?? unstatedLicences[nameOf(path)];
}

/** Whether an SPDX expression is allowed: all parts of AND, or any of OR. */
export function isAllowed(expression: string): boolean {
  const alternatives = expression.replace(/[()]/g, "").split(" OR ");
  return alternatives.some((parts) => parts.split(" AND ").every((licence) => allowedLicences.has(licence)));
}

/** The faults of the packages in package-lock.json, one sentence each. */
export function findSupplyChainFaults({ packages }: Lock, { allowScripts }: PackageManifest): string[] {
  const locked = Object.entries(packages).filter(([path]) => path !== "");
  const sources = new Set<string>();
  const faults = locked.flatMap(([path, one]) => {
    const name = nameOf(path);
    const licence = licenceOf(path, one);
    if (one.resolved !== undefined) sources.add(URL.parse(one.resolved)?.host ?? one.resolved);
    return [
      ...(licence !== undefined && isAllowed(licence) ? [] : [`${name} has the licence ${licence ?? "(none)"}`]),
      ...(one.hasInstallScript && allowScripts[name] === undefined ? [`${name} has an install script`] : []),
      ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(one.integrity ?? "") ? [] : [`${name} has no integrity hash`]),
      ...(one.link || !(one.resolved ?? "https:").startsWith("https:") ? [`${name} is not from a registry`] : []),
    ];
  });
  const unused = Object.keys(allowScripts).filter(
    (name) => !locked.some(([path, { hasInstallScript }]) => hasInstallScript && nameOf(path) === name),
  );
  return [
    ...faults,
    ...unused.map((name) => `${name} may run an install script and has none`),
    ...(sources.size > 1 ? [`packages come from ${sources.size} places`] : []),
  ];
}

/** The software bill of materials in CycloneDX 1.5: every package of the lock file; development packages are `excluded`. */
export function writeSbom({ packages }: Lock, { name, version, license }: PackageManifest): object {
  const components = new Map<string, object>();
  const sorted = Object.entries(packages).filter(([path]) => path !== "");
  // A package in several places is required if one of them is.
  for (const [path, one] of sorted.sort(([, a], [, b]) => Number(b.dev ?? false) - Number(a.dev ?? false))) {
    const purl = `pkg:npm/${nameOf(path).replace("@", "%40")}@${one.version}`;
    components.set(purl, {
      type: "library",
      "bom-ref": purl,
      name: nameOf(path),
      version: one.version,
      scope: one.dev ? "excluded" : one.optional ? "optional" : "required",
      purl,
      hashes: [{ alg: "SHA-512", content: Buffer.from(one.integrity?.slice(7) ?? "", "base64").toString("hex") }],
      licenses: [{ expression: licenceOf(path, one) ?? "NOASSERTION" }],
    });
  }
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "application", name, version, licenses: [{ expression: license }] } },
    components: [...components.values()],
  };
}
