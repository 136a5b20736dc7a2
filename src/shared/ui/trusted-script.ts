import { doorWorkerPath } from "#shared/paths.ts";

type Policy = { createScriptURL(url: string): unknown };
type Factory = { createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy };

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory?.createPolicy("almoner", { createScriptURL: requireScript });

/**
 * The only way to set the address of a script or worker where the page requires Trusted Types. From this site, only
 * build files and the door's service worker pass, never documents or uploads; `script-src` decides which other sites
 * may provide scripts.
 * @throws TypeError for any other address.
 */
export function trustedScript(url: string): string {
  // Browsers accept a TrustedScriptURL as a string; TypeScript's library does not know it yet.
  return (policy === undefined ? requireScript(url) : policy.createScriptURL(url)) as string;
}

function requireScript(url: string): string {
  const { protocol, origin, pathname } = new URL(url, location.href);
  const isOwnScript = pathname.startsWith("/assets/") || pathname === doorWorkerPath;
  const isScript = origin === location.origin ? isOwnScript : /^https?:$/.test(protocol);
  if (!isScript) throw new TypeError(`${url} is not a script of this site`);
  return url;
}
