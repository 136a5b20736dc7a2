/** Safe markup; only `html` creates it. */
export type Markup = { readonly markup: string };

type Part = Markup | string | number | false | null | undefined | readonly Part[];

/** A tagged template that escapes all values except its own markup; lists are joined. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: literals.reduce((whole, literal, index) => whole + render(parts[index - 1]) + literal) };
}

function render(part: Part): string {
  if (part === false || part === null || part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return "markup" in part ? part.markup : part.map(render).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
