type Policy = { createScriptURL(url: string): unknown };
type Factory = { createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy };

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory?.createPolicy("almoner", { createScriptURL: requireScript });

/**
 * The only way to give a script or worker its address where the page requires Trusted Types. From this site, files of the
 * build alone pass, never a document or an upload; which other sites may send scripts is what `script-src` says.
 * @throws TypeError for any other address.
 */
export function trustedScript(url: string): string {
  // Browsers take the object of Trusted Types wherever they take a string; TypeScript's library does not know it yet.
  return (policy === undefined ? requireScript(url) : policy.createScriptURL(url)) as string;
}

function requireScript(url: string): string {
  const { protocol, origin, pathname } = new URL(url, location.href);
  const isScript = origin === location.origin ? pathname.startsWith("/assets/") : /^https?:$/.test(protocol);
  if (!isScript) throw new TypeError(`${url} is no script of this site`);
  return url;
}
