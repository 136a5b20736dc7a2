type Policy = { createHTML(html: string): string };
type Factory = { createPolicy(name: string, rules: Policy): Policy };

/** Screens of the back office that have an editor load no other script with a policy of this name. */
const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory?.createPolicy("almoner", { createHTML: (html) => html });

/**
 * HTML as a document of its own, in which nothing runs and nothing is loaded. It never becomes part of the page. What
 * `style` attributes said is in `data-style`, because the browser would report each to the page's policy.
 */
export function parseInert(html: string): HTMLElement {
  const quiet = html
    .replace(/(<style\b[^>]*>)[\s\S]*?(<\/style)/gi, "$1$2")
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/([\s"'])style(?=\s*=)/gi, "$1data-style"));
  const trusted = policy === undefined ? quiet : policy.createHTML(quiet);
  return new DOMParser().parseFromString(trusted, "text/html").body;
}
