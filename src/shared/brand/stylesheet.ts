import type { Scheme } from "./colour-pairs.ts";
import { type FontPair, fontPairs } from "./font-pairs.ts";
import { deliveredColours, deriveShades, recolour } from "./shades.ts";
import { deliveredBrand, type SiteBrand } from "./site-brand.ts";

/** What the stylesheet is written with: the text of a pattern of the identity, and the address of a font’s file. */
type BrandMaterial = {
  readonly pattern: (name: string) => string;
  readonly fontAddress: (file: { readonly package: string; readonly file: string }) => string;
  /** The address of the logo for dark grounds; null without one. */
  readonly darkLogo: string | null;
};

/** Custom properties and their patterns. The mosaic of an empty gallery keeps its own: it is seldom seen. */
const stars = {
  "pattern-paper": "khatam-on-paper",
  "pattern-deep": "khatam-on-indigo",
  "pattern-tile": "khatam-on-feroza",
  "pattern-cta": "khatam-on-marigold",
} as const;
const strip = { "strip-ajrak": "border-ajrak" } as const;
const fringe = { "strip-scallop": "border-scallop" } as const;

/** The colours that say what went wrong, which share a shade with the delivered brand. */
const danger = "--danger:#9b1f2e;--danger-line:#c73a44;";

/**
 * What comes after the site’s own stylesheet for this brand; empty for the delivered one. Print, forced colours and more
 * contrast stay as the site’s own stylesheet has them.
 */
export function writeBrandStyles(brand: SiteBrand, material: BrandMaterial): string {
  return [
    ...fontStyles(fontPairs[brand.fonts], material),
    ...colourStyles(brand),
    ...patternStyles(brand, material),
    ...(material.darkLogo === null ? [] : [logoStyles(material.darkLogo)]),
    ...(brand.hasSpots && brand.theme === "craft" ? [] : [withoutSpots]),
    ...(hasHeroPicture(brand) ? [heroPhotograph] : []),
    ...(showsHero(brand) ? [] : [withoutHero]),
    ...(brand.theme === "quiet" ? [quiet] : []),
  ].join("\n");
}

export const hasHeroPicture = ({ hero, heroPicture }: SiteBrand) => hero === "photograph" && heroPicture !== "";

/** Whether there is anything beside the words of the home page’s banner. The quiet theme has no drawings. */
export const showsHero = (brand: SiteBrand) =>
  hasHeroPicture(brand) || (brand.hero === "drawing" && brand.theme === "craft");

function fontStyles({ display, text, files, fallbacks }: FontPair, { fontAddress }: BrandMaterial): string[] {
  if (files.length === 0) return [];
  const faces = files.map(
    ({ family, weight, style = "normal", ...file }) =>
      `@font-face{font-family:"${family}";src:url("${fontAddress(file)}") format("woff2");font-weight:${weight};font-style:${style};font-display:swap}`,
  );
  const adjusted = fallbacks.map(
    ({ family, local, sizeAdjust }) =>
      `@font-face{font-family:"${family}";src:${local.map((name) => `local("${name}")`).join(",")};size-adjust:${sizeAdjust}%}`,
  );
  const stack = (family: string, end: string) => {
    const base = family === "Figtree Variable" ? "Figtree" : family;
    return `"${family}","${base} Fallback","${base} Fallback Android","Noto Naskh Arabic Variable",${end}`;
  };
  const isSerif = display === "Gelasio";
  return [
    ...faces,
    ...adjusted,
    `:root{--font-display:${stack(display, isSerif ? "Georgia,serif" : "system-ui,sans-serif")};--font-text:${stack(text, "system-ui,sans-serif")}}`,
  ];
}

/** Only what differs from today. */
function colourStyles({ main, accent }: SiteBrand): string[] {
  const shades = deriveShades({ main, accent });
  const today = deriveShades(deliveredColours);
  const changed = (scheme: Scheme) =>
    [...shades[scheme]]
      .filter(([name, shade]) => today[scheme].get(name) !== shade)
      .map(([name, shade]) => `--${name}:${shade};`);
  // What `prefers-contrast: more` sets in the site’s own stylesheet.
  const isStronger = (line: string) => /^--(?:ink-muted|line|line-control):/.test(line);
  const [light, dark] = [changed("light"), changed("dark")];
  if (light.length + dark.length === 0) return [];
  const rgb = [1, 3, 5].map((from) => Number.parseInt(main.slice(from, from + 2), 16)).join(" ");
  return [
    `@media screen{:root{${light.join("")}${danger}}.pictures .label{background:rgb(${rgb}/.9)}}`,
    `@media screen and (prefers-color-scheme:dark){:root{${dark.filter((line) => !isStronger(line)).join("")}--danger:#ffa8a3;--danger-line:#e5767a}}`,
    `@media screen and (prefers-color-scheme:dark) and (prefers-contrast:no-preference){:root{${dark.filter(isStronger).join("")}}}`,
  ];
}

function patternStyles(brand: SiteBrand, { pattern }: BrandMaterial): string[] {
  const isQuiet = brand.theme === "quiet";
  const isRecoloured = brand.main !== deliveredColours.main || brand.accent !== deliveredColours.accent;
  const draw = (list: Readonly<Record<string, string>>) =>
    Object.entries(list).map(([name, file]) => `--${name}:url("${dataAddress(recolour(pattern(file), brand))}");`);
  const none = (list: Readonly<Record<string, string>>) => Object.keys(list).map((name) => `--${name}:none;`);
  const kinds = [
    { list: stars, isShown: brand.hasStars && !isQuiet },
    { list: strip, isShown: brand.hasStrips && !isQuiet },
    { list: fringe, isShown: brand.hasFringe && !isQuiet },
  ];
  const shown = isRecoloured ? kinds.flatMap(({ list, isShown }) => (isShown ? draw(list) : [])) : [];
  const hidden = kinds.flatMap(({ list, isShown }) => (isShown ? [] : none(list)));
  const dark = "@media screen and (prefers-color-scheme:dark){:root{--pattern-paper:none}}";
  return [
    ...(shown.length === 0
      ? []
      : [
          `@media screen and (prefers-contrast:no-preference) and (forced-colors:none){:root{${shown.join("")}}}`,
          dark,
        ]),
    ...(hidden.length === 0 ? [] : [`:root{${hidden.join("")}}`]),
    ...(kinds[0]!.isShown ? [] : [".mosaic{display:none}"]),
    ...(kinds[1]!.isShown ? [] : [".strip-ajrak{display:none}"]),
    ...(kinds[2]!.isShown ? [] : [".strip-scallop{display:none}.site-top{--strip:2.75rem}"]),
  ];
}

function dataAddress(svg: string): string {
  const plain = svg.replace(/ role="img" aria-labelledby="[\w-]+"/, "").replace(/<title[^>]*>[^<]*<\/title>/, "");
  return `data:image/svg+xml,${encodeURIComponent(plain.replaceAll('"', "'")).replace(/%20|%3D|%3A|%2F|%2C/g, decodeURIComponent)}`;
}

function logoStyles(darkLogo: string): string {
  return [
    `@media screen and (prefers-color-scheme:dark){.site-head .brand img{content:url("${darkLogo}")}}`,
    ".brand img.logo{width:auto;max-width:min(17.5rem,48vw);height:auto;max-height:3.25rem}",
  ].join("\n");
}

const withoutSpots =
  ".tl img,.message-page img,.auth .side,.thanks>img,.next-steps>img,.vol-head img,.empty>img,.result>img{display:none}" +
  ".auth,.message-page>div{grid-template-columns:minmax(0,1fr)}";

const heroPhotograph =
  ".hero .art{align-self:center;filter:none;margin-bottom:clamp(1.5rem,3vw,3.5rem);border-radius:var(--r-lg);corner-shape:var(--corner);overflow:hidden}" +
  ".hero .art img{width:100%;max-height:36rem;object-fit:cover}";

const withoutHero =
  ".hero .wrap{grid-template-columns:minmax(0,1fr)}.hero .copy{padding-bottom:clamp(3rem,6vw,6rem)}.hero h1{max-width:18ch}";

/** Plain surfaces: no pattern, cut corner, star, arch or drawing, and smaller type. */
const quiet = `:root{--corner:round;--star:circle(50%);--r-md:8px;--r-lg:12px;--lime-50:#fafaf8;--fs-3xl:clamp(1.875rem,1.6rem + 1.2vw,2.625rem);--fs-4xl:clamp(2.25rem,1.7rem + 2.4vw,3.75rem);--fs-2xl:clamp(1.5rem,1.35rem + .7vw,2rem)}
.jharokha{-webkit-mask:none;mask:none}
.hero .wrap{align-items:center}
.donation-card .arch,.content-arch,.content-arch>div{padding:0}
.content-arch{border-radius:var(--r-lg) var(--r-lg) 0 0;overflow:hidden}
.about .pic,.face .jharokha{border-radius:var(--r-lg);overflow:hidden}
.stub{display:none}
.ticket{grid-template:none;border:var(--border);border-radius:var(--r-lg);background:var(--surface);-webkit-mask:none;mask:none}
.tickets>li{filter:none}
.donation-card,.tl{border-radius:var(--r-lg);overflow:hidden}
.card .media img[src^="/identity/"]{object-fit:contain}`;

export const isDelivered = (brand: SiteBrand) => JSON.stringify(brand) === JSON.stringify(deliveredBrand);
