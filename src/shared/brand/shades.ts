import { type ColourPair, colourPairs, type Scheme } from "./colour-pairs.ts";
import { contrast, type Hex, nearestShade, toHex, toOklch } from "./oklch.ts";

/** The two colours that a charity chooses. */
export type BrandColours = {
  /** Header, footer, solid buttons and headings; links and tiles are shades of it. */
  readonly main: Hex;
  /** What asks to give, and what stands out on the main colour. */
  readonly accent: Hex;
};

export const deliveredColours: BrandColours = { main: "#16214f", accent: "#f7b73c" };

/** The site as delivered has two more hues. A charity’s own colours do without them. */
const deliveredTile: Hex = "#0a6b73";
const deliveredSecond: Hex = "#9b1f2e";

/** Custom properties without their two hyphens. */
type Shades = ReadonlyMap<string, Hex>;

/** As delivered. `tokens.css` has the same; a test compares them. */
const light = {
  "indigo-950": "#0f1736",
  "indigo-900": "#16214f",
  "indigo-800": "#1e2e6b",
  "indigo-700": "#2a3f8a",
  "indigo-200": "#bcc7e8",
  "indigo-100": "#dfe5f5",
  "feroza-900": "#053f46",
  "feroza-700": "#0a6b73",
  "feroza-500": "#1b9aa0",
  "feroza-200": "#a9deda",
  "feroza-100": "#d7f0ec",
  "feroza-50": "#ecf8f5",
  "marigold-400": "#f7b73c",
  "marigold-300": "#facb6c",
  "madder-700": "#9b1f2e",
  "madder-500": "#c73a44",
  "slate-500": "#7b849b",
  "slate-600": "#5b6480",
  "slate-700": "#4a5470",
  ink: "#16214f",
  solid: "#16214f",
  "solid-hover": "#2a3f8a",
  cta: "#f7b73c",
  "cta-hover": "#facb6c",
  "cta-ink": "#16214f",
  "focus-inner": "#16214f",
  "focus-outer": "#f7b73c",
} as const satisfies Readonly<Record<string, Hex>>;

const dark = {
  bg: "#0f1736",
  surface: "#172250",
  "surface-2": "#1d2a5e",
  ink: "#f2f4fb",
  "ink-muted": "#bcc7e8",
  line: "#2c3b78",
  "line-control": "#7f8dbd",
  link: "#7fd4d0",
  "link-hover": "#a9deda",
  deep: "#0b1129",
  tile: "#07545c",
  "tile-tint": "#123a56",
  "tile-tint-2": "#142e55",
  solid: "#dfe5f5",
  "solid-hover": "#ffffff",
  "solid-ink": "#16214f",
  info: "#bcc7e8",
  "info-bg": "#22316e",
  selected: "#123a56",
  "selected-line": "#7fd4d0",
  "accent-line": "#e5767a",
  "step-done": "#1b9aa0",
  "step-done-ink": "#0b1129",
  "step-now": "#f7b73c",
  "step-now-ink": "#16214f",
  "step-todo": "#66709a",
  "focus-inner": "#0b1129",
} as const satisfies Readonly<Record<string, Hex>>;

/** Colours that stay, whatever the brand is: paper, and what says that something went wrong or well. */
const fixedLight = {
  bg: "#f6f7f2",
  surface: "#ffffff",
  "surface-2": "#edf0e8",
  white: "#ffffff",
  danger: "#9b1f2e",
  "danger-bg": "#fceeec",
  "danger-line": "#c73a44",
  success: "#2f6440",
  "success-bg": "#e8f4e6",
  warning: "#8a5200",
  "warning-bg": "#fef5e1",
} as const satisfies Readonly<Record<string, Hex>>;
const fixedDark = {
  white: "#ffffff",
  danger: "#ffa8a3",
  "danger-bg": "#3d1630",
  "danger-line": "#e5767a",
  success: "#a5d9ae",
  "success-bg": "#15384a",
  warning: "#facb6c",
  "warning-bg": "#3a2e2a",
} as const satisfies Readonly<Record<string, Hex>>;

/** In `tokens.css` these are other names of a shade. */
const sameLight: Readonly<Record<string, string>> = {
  "ink-muted": "slate-700",
  "line-control": "slate-500",
  link: "feroza-700",
  "link-hover": "feroza-900",
  deep: "indigo-900",
  tile: "feroza-700",
  "tile-tint": "feroza-100",
  "tile-tint-2": "feroza-50",
  info: "indigo-700",
  "info-bg": "indigo-100",
  selected: "feroza-50",
  "selected-line": "feroza-700",
  "accent-line": "madder-500",
  "step-done": "feroza-700",
  "step-now": "madder-700",
  "step-todo": "slate-600",
};

/** `today` as it would be if `base` were the colour that it was made from: as light, as strong, in the same direction. */
function like(today: Hex, todayBase: Hex, base: Hex): Hex {
  if (base === todayBase) return today;
  const [shade, from, to] = [toOklch(today), toOklch(todayBase), toOklch(base)];
  // As strong as the base is, but never much stronger than today: tints and greys stay what they are.
  const strength = Math.min(to.c / from.c, shade.c > 0.06 ? 1.6 : 1);
  return toHex({ l: shade.l, c: shade.c * strength, h: to.h + shade.h - from.h });
}

/** Lighter or darker by as much as `today` is against the colour that it was made from; darker if there is no room. */
function beside(today: Hex, todayBase: Hex, base: Hex, direction: 1 | -1): Hex {
  if (base === todayBase) return today;
  const { l, c, h } = toOklch(base);
  return toHex({ l: l + direction * Math.abs(toOklch(today).l - toOklch(todayBase).l), c, h });
}

/** The second tone of a charity’s own main colour: far enough from it to be told apart. */
function tileOf(main: Hex): Hex {
  const { l, c, h } = toOklch(main);
  return toHex({ l: l < 0.4 ? 0.47 : l - 0.13, c: Math.min(c, 0.16), h });
}

/** A dark shade of a charity’s own accent, for white text. */
function secondOf(accent: Hex): Hex {
  const { c, h } = toOklch(accent);
  return toHex({ l: 0.46, c: Math.min(c, 0.16), h });
}

const inkOn = (ground: Hex, ink: Hex): Hex =>
  contrast(ink, ground) >= 4.5 || contrast(ink, ground) > contrast("#ffffff", ground) ? ink : "#ffffff";

/** All shades that the styles use, in both schemes. Those of the delivered colours are exactly as `tokens.css` has them. */
export function deriveShades({ main, accent }: BrandColours): Readonly<Record<Scheme, Shades>> {
  const today = deliveredColours;
  const tile = main === today.main ? deliveredTile : tileOf(main);
  const second = accent === today.accent ? deliveredSecond : secondOf(accent);
  /** The tile’s shades have its hue; those of a charity’s own main colour are as strong as it. */
  const ofMain = (shade: Hex) => like(shade, today.main, main);
  const ofTile = (shade: Hex) => like(shade, deliveredTile, tile);
  const ofSecond = (shade: Hex) => like(shade, deliveredSecond, second);
  const text = toOklch(main);
  const ink = main === today.main ? light.ink : toHex({ ...toOklch(light.ink), c: Math.min(text.c, 0.09), h: text.h });
  const ctaInk = inkOn(accent, ink);
  const ofAccent = (shade: Hex) => beside(shade, today.accent, accent, ctaInk === "#ffffff" ? -1 : 1);

  const made = { light: new Map<string, Hex>(), dark: new Map<string, Hex>() };
  for (const [name, shade] of Object.entries(light)) {
    const of = name.startsWith("feroza") ? ofTile : name.startsWith("madder") ? ofSecond : ofMain;
    made.light.set(name, of(shade));
  }
  const raw: Readonly<Record<string, Hex>> = {
    "indigo-900": main,
    solid: main,
    ink,
    "focus-inner": ink,
    cta: accent,
    "cta-ink": ctaInk,
    "marigold-400": accent,
    "focus-outer": accent,
    "solid-hover": beside(light["solid-hover"], today.main, main, text.l < 0.4 ? 1 : -1),
    "cta-hover": ofAccent(light["cta-hover"]),
    "marigold-300": beside(light["marigold-300"], today.accent, accent, 1),
  };
  for (const [name, shade] of Object.entries(raw)) made.light.set(name, shade);
  const tiles = new Set([
    "link",
    "link-hover",
    "tile",
    "tile-tint",
    "tile-tint-2",
    "selected",
    "selected-line",
    "step-done",
  ]);
  for (const [name, shade] of Object.entries(dark)) {
    const of = tiles.has(name) ? ofTile : name === "accent-line" ? ofSecond : ofMain;
    made.dark.set(name, name === "step-now" ? accent : of(shade));
  }
  if (accent !== today.accent) made.dark.set("step-now-ink", inkOn(accent, ofMain(dark["step-now-ink"])));
  repair(made);
  return made;
}

type Made = Readonly<Record<Scheme, Map<string, Hex>>>;

/** A shade as it is in a scheme: what dark does not have of its own is as in light. */
function find({ light: made, dark: own }: Readonly<Record<Scheme, Shades>>, scheme: Scheme, name: string): Hex {
  const inLight = () =>
    made.get(sameLight[name] ?? name) ?? (fixedLight as Readonly<Record<string, Hex>>)[name] ?? "#000000";
  if (scheme === "light") return inLight();
  return own.get(name) ?? (fixedDark as Readonly<Record<string, Hex>>)[name] ?? inLight();
}

/** Makes what fails lighter or darker until all pairs of that shade pass whose other colour does not move for it. */
function repair(made: Made): void {
  for (const pair of colourPairs) {
    if (pair.moves !== "ink" && pair.moves !== "ground") continue;
    if (ratioOf(made, pair) >= pair.minRatio) continue;
    const name = pair[pair.moves];
    const scheme = made[pair.scheme].has(name) ? pair.scheme : "light";
    const before = made[scheme].get(name)!;
    const own = colourPairs.filter((each) => (each.ink === name || each.ground === name) && each.moves !== "nothing");
    const nearest = nearestShade(before, (shade) => {
      made[scheme].set(name, shade);
      return own.every((each) => ratioOf(made, each) >= each.minRatio || isMovedByOther(each, name));
    });
    made[scheme].set(name, nearest ?? before);
  }
}

/** Whether the other colour of the pair follows this one. */
const isMovedByOther = ({ moves, ink, ground }: ColourPair, name: string) =>
  (moves === "ink" && ink !== name) || (moves === "ground" && ground !== name);

const ratioOf = (shades: Readonly<Record<Scheme, Shades>>, { scheme, ink, ground }: ColourPair) =>
  contrast(find(shades, scheme, ink), find(shades, scheme, ground));

export type CheckedPair = ColourPair & {
  readonly inkShade: Hex;
  readonly groundShade: Hex;
  readonly ratio: number;
  readonly passes: boolean;
};

/** Every pair with its contrast. */
export function checkPairs(colours: BrandColours): CheckedPair[] {
  const shades = deriveShades(colours);
  return colourPairs.map((pair) => {
    const ratio = ratioOf(shades, pair);
    return {
      ...pair,
      ratio,
      passes: ratio >= pair.minRatio,
      inkShade: find(shades, pair.scheme, pair.ink),
      groundShade: find(shades, pair.scheme, pair.ground),
    };
  });
}

/** For each colour that fails on a pair, the nearest shade of its hue with which every pair of it passes. */
export function offerShades(colours: BrandColours): Partial<BrandColours> {
  const failing = new Set(checkPairs(colours).flatMap(({ passes, moves }) => (passes ? [] : [moves])));
  const main = failing.has("main") ? nearestShade(colours.main, (shade) => contrast("#ffffff", shade) >= 4.5) : null;
  const ink = deriveShades({ ...colours, main: main ?? colours.main }).light.get("ink")!;
  const hasText = (shade: Hex) => contrast(inkOn(shade, ink), shade) >= 4.5;
  const accent = failing.has("accent") || !hasText(colours.accent) ? nearestShade(colours.accent, hasText) : null;
  return { ...(main !== null && { main }), ...(accent !== null && { accent }) };
}

/** A drawing with its colours made from the chosen ones: each as it is to the delivered colour next to it. */
export function recolour(svg: string, colours: BrandColours): string {
  const { light: made } = deriveShades(colours);
  const today = light as Readonly<Record<string, Hex>>;
  const grounds = ["indigo-900", "feroza-700", "cta"].map((name) => ({ today: today[name]!, now: made.get(name)! }));
  const known = new Map<string, Hex>([
    ...Object.entries(light).map(([name, shade]) => [shade, made.get(name)!] as const),
    // The lines of the stars, one step beside their ground.
    ...(["#22327a", "#0b737b", "#f5ae2c"] as const).map((line, index) => {
      const { today: todayGround, now } = grounds[index]!;
      return [line, beside(line, todayGround, now, contrast("#ffffff", now) < 6 ? -1 : 1)] as const;
    }),
    ...grounds.map(({ today: ground, now }) => [ground, now] as const),
    ...(
      [
        ["#fce0a6", "#f7b73c"],
        ["#e0558f", "#c73a44"],
        ["#3fb8b8", "#1b9aa0"],
      ] as const
    ).map(([shade, near]) => {
      const name = Object.keys(today).find((each) => today[each] === near)!;
      return [shade, like(shade, near, made.get(name)!)] as const;
    }),
  ]);
  return svg.replace(/#[0-9a-f]{6}\b/gi, (hex) => known.get(hex.toLowerCase()) ?? hex);
}
