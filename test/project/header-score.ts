import type { OutgoingHttpHeaders } from "node:http";

type Answer = { readonly headers: OutgoingHttpHeaders; readonly body: string };

/**
 * The score of Mozilla's HTTP Observatory for this answer's headers over https: 100, minus points for missing headers, plus
 * bonuses. It leaves out cross-origin openers, which newer versions score, and redirects from plain http, which the proxy
 * makes. `docs/security.md` has the table.
 */
export function headerScore({ headers, body }: Answer): number {
  const text = (name: string) => [headers[name] ?? []].flat().join(", ");
  const policy = readPolicy(text("content-security-policy"));
  const parts = [
    policyScore(policy),
    cookieScore([headers["set-cookie"] ?? []].flat().map(String)),
    /^(no-referrer|same-origin|strict-origin(-when-cross-origin)?)$/.test(text("referrer-policy")) ? 5 : 0,
    Number(/max-age=(\d+)/.exec(text("strict-transport-security"))?.[1] ?? 0) >= 15_552_000 ? 0 : -20,
    text("content-type").startsWith("text/html") ? scriptScore(body) : 0,
    text("x-content-type-options") === "nosniff" ? 0 : -5,
    policy.has("frame-ancestors") || /^(DENY|SAMEORIGIN)$/.test(text("x-frame-options")) ? 5 : -20,
    /^same-(origin|site)$/.test(text("cross-origin-resource-policy")) ? 10 : 0,
  ];
  const penalty = parts.filter((part) => part < 0).reduce((sum, part) => sum + part, 0);
  // There is no bonus after losing more than ten points.
  return 100 + (penalty < -10 ? penalty : parts.reduce((sum, part) => sum + part, 0));
}

function readPolicy(header: string): ReadonlyMap<string, readonly string[]> {
  const directives = header.split(";").map((directive) => directive.trim().split(/\s+/));
  return new Map(directives.filter(([name]) => name).map(([name = "", ...sources]) => [name, sources]));
}

function policyScore(policy: ReadonlyMap<string, readonly string[]>): number {
  if (policy.size === 0) return -25;
  const of = (name: string) => policy.get(name) ?? policy.get("default-src") ?? ["*"];
  const isBroad = (source: string) => /^(\*|(https?|ftp):(\/\/\*(\.\*)?)?)$/.test(source);
  const isLoose = (source: string) => isBroad(source) || source === "'unsafe-inline'" || source === "data:";
  const isPassive = (name: string) => name === "img-src" || name === "media-src";
  const isInsecure = (source: string) => /^(http|ftp):/.test(source);
  if (of("script-src").some(isLoose) || of("object-src").some(isBroad)) return -20;
  if ([...policy].some(([name, sources]) => !isPassive(name) && sources.some(isInsecure))) return -20;
  if ([...of("script-src"), ...of("style-src")].includes("'unsafe-eval'")) return -10;
  if ([...of("img-src"), ...of("media-src")].some(isInsecure)) return -10;
  if (of("style-src").some(isLoose)) return 0;
  return policy.get("default-src")?.join() === "'none'" ? 10 : 5;
}

function cookieScore(cookies: readonly string[]): number {
  if (cookies.length === 0) return 0;
  const isSecure = cookies.every((cookie) => /;\s*secure/i.test(cookie));
  const isOfSite = cookies.every((cookie) => /;\s*samesite=(lax|strict)/i.test(cookie));
  const sessions = cookies.filter((cookie) => /^[^=]*(login|sess)/i.test(cookie));
  if (!sessions.every((cookie) => /;\s*httponly/i.test(cookie))) return -30;
  if (!isSecure || (!isOfSite && cookies.some((cookie) => /^[^=]*csrf/i.test(cookie)))) return -20;
  return isOfSite ? 5 : 0;
}

/** A bonus for our own scripts with integrity; a penalty for another site's without it. */
function scriptScore(html: string): number {
  const scripts = (html.match(/<script[^>]* src="[^"]+"[^>]*>/g) ?? []).map((tag) => ({
    isForeign: /src="(https?:)?\/\//.test(tag),
    hasIntegrity: tag.includes(" integrity="),
  }));
  if (scripts.some(({ isForeign, hasIntegrity }) => isForeign && !hasIntegrity)) return -5;
  return scripts.some(({ hasIntegrity }) => hasIntegrity) ? 5 : 0;
}
