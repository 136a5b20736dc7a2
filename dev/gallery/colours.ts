type Scheme = "light" | "dark";
/** Names without their two hyphens, values as #rrggbb. */
type Colours = ReadonlyMap<string, string>;

/** Foregrounds and their backgrounds, with the contrast that WCAG requires: 4.5 for text, 3 for lines and large marks. */
export const pairs: readonly (readonly [ink: string, ground: string, least: 3 | 4.5])[] = [
  ["ink", "bg", 4.5],
  ["ink", "surface", 4.5],
  ["ink", "surface-2", 4.5],
  ["ink", "tile-tint", 4.5],
  ["ink-muted", "bg", 4.5],
  ["ink-muted", "surface", 4.5],
  ["ink-muted", "surface-2", 4.5],
  ["ink-muted", "tile-tint-2", 4.5],
  ["link", "bg", 4.5],
  ["link", "surface", 4.5],
  ["link-hover", "bg", 4.5],
  ["cta-ink", "cta", 4.5],
  ["cta-ink", "cta-hover", 4.5],
  ["solid-ink", "solid", 4.5],
  ["solid-ink", "solid-hover", 4.5],
  ["ink-on-deep", "deep", 4.5],
  ["ink-on-deep-muted", "deep", 4.5],
  ["ink-on-deep", "tile", 4.5],
  ["danger", "bg", 4.5],
  ["danger", "surface", 4.5],
  ["danger", "danger-bg", 4.5],
  ["success", "success-bg", 4.5],
  ["warning", "warning-bg", 4.5],
  ["info", "info-bg", 4.5],
  ["ink", "info-bg", 4.5],
  ["ink", "success-bg", 4.5],
  ["ink", "warning-bg", 4.5],
  ["ink", "danger-bg", 4.5],
  ["surface", "selected-line", 4.5],
  ["step-done-ink", "step-done", 4.5],
  ["step-now-ink", "step-now", 4.5],
  ["step-todo-ink", "step-todo", 4.5],
  ["line-control", "bg", 3],
  ["line-control", "surface", 3],
  ["selected-line", "surface", 3],
  ["danger-line", "surface", 3],
  ["accent-line", "surface", 3],
  ["focus-outer", "deep", 3],
];

/** Every named colour in the text of tokens.css, as it is in that scheme. */
export function readColours(tokens: string, scheme: Scheme): Colours {
  const declared = new Map(declarations(tokens, ":root {"));
  if (scheme === "dark")
    for (const [name, value] of declarations(tokens, "(prefers-color-scheme: dark) {\n  :root {"))
      declared.set(name, value);
  const found = new Map<string, string>();
  for (const name of declared.keys()) {
    const colour = resolve(declared, name);
    if (colour !== null) found.set(name, colour);
  }
  return found;
}

/** The base colours, in the order of the file; their names end in their lightness. */
export function listPrimitives(tokens: string): readonly (readonly [name: string, colour: string])[] {
  return [...readColours(tokens, "light")].filter(([name]) => /-(?:0|\d{2,3})$/.test(name));
}

/** WCAG's contrast ratio of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function declarations(tokens: string, selector: string): [string, string][] {
  const start = tokens.indexOf(selector);
  const block = tokens.slice(start, tokens.indexOf("}\n", start));
  return [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value.trim()]);
}

function resolve(declared: ReadonlyMap<string, string>, name: string): string | null {
  const value = declared.get(name) ?? "";
  const reference = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  if (reference !== undefined) return resolve(declared, reference);
  if (/^#[\da-f]{6}$/i.test(value)) return value.toLowerCase();
  return /^#[\da-f]{3}$/i.test(value) ? value.replace(/[\da-f]/gi, "$&$&").toLowerCase() : null;
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(colour.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
