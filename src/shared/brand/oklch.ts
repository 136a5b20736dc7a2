/**
 * A colour as people see it: lightness from 0 to 1, chroma from 0 (grey) to about 0.4, hue in degrees.
 * https://bottosson.github.io/posts/oklab/
 */
type Oklch = { readonly l: number; readonly c: number; readonly h: number };

/** #rrggbb in small letters. */
export type Hex = `#${string}`;

export const isHex = (text: string): text is Hex => /^#[0-9a-f]{6}$/.test(text);

type Triple = readonly [number, number, number];

/** Red, green and blue from 0 to 1, proportional to light. */
function linearOf(hex: string): Triple {
  const part = (from: number) => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

export function toOklch(hex: string): Oklch {
  const [r, g, b] = linearOf(hex);
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  return { l, c: Math.hypot(a, bb), h: (Math.atan2(bb, a) * 180) / Math.PI };
}

function linearFrom({ l, c, h }: Oklch): Triple {
  const angle = (h * Math.PI) / 180;
  const [a, b] = [c * Math.cos(angle), c * Math.sin(angle)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

/** What rounding to 255 steps makes of values just outside. */
const TOLERANCE = 0.0005;
const isShown = (linear: Triple) => linear.every((part) => part >= -TOLERANCE && part <= 1 + TOLERANCE);

/** The colour on a screen. What no screen can show is made greyer until one can; lightness and hue stay. */
export function toHex({ l, c, h }: Oklch): Hex {
  const lightness = Math.min(1, Math.max(0, l));
  let [min, max] = [0, c];
  if (!isShown(linearFrom({ l: lightness, c, h }))) {
    for (let step = 0; step < 16; step++) {
      const middle = (min + max) / 2;
      if (isShown(linearFrom({ l: lightness, c: middle, h }))) min = middle;
      else max = middle;
    }
    max = min;
  }
  const parts = linearFrom({ l: lightness, c: max, h }).map((part) => {
    const clipped = Math.min(1, Math.max(0, part));
    const value = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

/** WCAG’s relative luminance, from 0 to 1. */
function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG’s contrast ratio of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** In steps that nobody can tell apart. */
const STEP = 0.004;

/** The shade of the same hue that is nearest in lightness and passes; null if none does. */
export function nearestShade(hex: Hex, passes: (shade: Hex) => boolean): Hex | null {
  if (passes(hex)) return hex;
  const { l, c, h } = toOklch(hex);
  for (let distance = STEP; distance <= 1; distance += STEP) {
    for (const lightness of [l - distance, l + distance]) {
      if (lightness < 0 || lightness > 1) continue;
      const shade = toHex({ l: lightness, c, h });
      if (passes(shade)) return shade;
    }
  }
  return ["#000000" as Hex, "#ffffff" as Hex].find(passes) ?? null;
}
