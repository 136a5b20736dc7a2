import { readLock, readPackageManifest, writeSbom } from "./supply-chain.ts";

/** `npm run --silent sbom > sbom.json` */
process.stdout.write(`${JSON.stringify(writeSbom(readLock(), readPackageManifest()), null, 2)}\n`);
