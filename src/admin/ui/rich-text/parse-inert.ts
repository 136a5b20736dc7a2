type Policy = { createHTML(html: string): string };
type Factory = { createPolicy(name: string, rules: Policy): Policy };

/** No other script on a screen with an editor creates a policy of this name. */
const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory?.createPolicy("almoner", { createHTML: (html) => html });

/**
 * Parses HTML into a separate document, in which nothing runs and nothing loads. It never becomes part of the page.
 * `style` attributes are renamed to `data-style`, because the browser would report each as a violation of the page's
 * policy.
 */
export function parseInert(html: string): HTMLElement {
  const quiet = html
    .replace(/(<style\b[^>]*>)[\s\S]*?(<\/style)/gi, "$1$2")
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/([\s"'])style(?=\s*=)/gi, "$1data-style"));
  const trusted = policy === undefined ? quiet : policy.createHTML(quiet);
  return new DOMParser().parseFromString(trusted, "text/html").body;
}
