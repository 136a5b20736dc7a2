import { readLock, readManifest, writeSbom } from "./supply-chain.ts";

/** `npm run --silent sbom > sbom.json` */
process.stdout.write(`${JSON.stringify(writeSbom(readLock(), readManifest()), null, 2)}\n`);
