/** A file of a font, as its npm package has it; `file` is below the package’s `files/`. */
type FontFile = {
  readonly family: string;
  readonly package: string;
  readonly file: string;
  readonly weight: string;
  readonly style?: "italic";
  /** Needed for the first screen. */
  readonly isFirst?: true;
};

/** A font that the device has, widened or narrowed so that nothing moves when ours comes. */
type Fallback = { readonly family: string; readonly local: readonly string[]; readonly sizeAdjust: number };

export type FontPair = {
  readonly label: string;
  readonly hint: string;
  /** The families of headings and of text. */
  readonly display: string;
  readonly text: string;
  readonly files: readonly FontFile[];
  readonly fallbacks: readonly Fallback[];
};

const arial = ["Arial", "Liberation Sans", "Arimo"];
const arialBold = ["Arial Bold", "Liberation Sans Bold", "Arimo Bold"];
const times = ["Times New Roman", "Liberation Serif", "Tinos"];

/** What to do without when a family has not come yet: on computers, then on Android. */
const fallbacks = (family: string, local: readonly string[], sizeAdjust: number, onAndroid: number): Fallback[] => [
  { family: `${family} Fallback`, local, sizeAdjust },
  { family: `${family} Fallback Android`, local: [local === times ? "Noto Serif" : "Roboto"], sizeAdjust: onAndroid },
];

/** Headings are set in weight 400 of their family, so a bold file stands for it. */
export const fontPairs = {
  "young-serif": {
    label: "Young Serif with Figtree",
    hint: "As delivered: a warm serif for headings, a friendly sans for text.",
    display: "Young Serif",
    text: "Figtree Variable",
    files: [],
    fallbacks: [],
  },
  gelasio: {
    label: "Gelasio with Figtree",
    hint: "A classic book serif for headings, the same sans for text.",
    display: "Gelasio",
    text: "Figtree Variable",
    files: [
      {
        family: "Gelasio",
        package: "@fontsource/gelasio",
        file: "gelasio-latin-400-normal.woff2",
        weight: "400",
        isFirst: true,
      },
    ],
    fallbacks: fallbacks("Gelasio", times, 109, 95),
  },
  manrope: {
    label: "Manrope",
    hint: "One modern sans: bold for headings, regular for text.",
    display: "Manrope Bold",
    text: "Manrope Variable",
    files: [
      {
        family: "Manrope Bold",
        package: "@fontsource/manrope",
        file: "manrope-latin-700-normal.woff2",
        weight: "400",
        isFirst: true,
      },
      {
        family: "Manrope Variable",
        package: "@fontsource-variable/manrope",
        file: "manrope-latin-wght-normal.woff2",
        weight: "200 800",
        isFirst: true,
      },
    ],
    fallbacks: [...fallbacks("Manrope Bold", arialBold, 100, 112), ...fallbacks("Manrope Variable", arial, 103, 106)],
  },
  atkinson: {
    label: "Atkinson Hyperlegible",
    hint: "Made for people with low vision: letters that cannot be taken for each other.",
    display: "Atkinson Bold",
    text: "Atkinson",
    files: [
      {
        family: "Atkinson Bold",
        package: "@fontsource/atkinson-hyperlegible",
        file: "atkinson-hyperlegible-latin-700-normal.woff2",
        weight: "400",
        isFirst: true,
      },
      {
        family: "Atkinson",
        package: "@fontsource/atkinson-hyperlegible",
        file: "atkinson-hyperlegible-latin-400-normal.woff2",
        weight: "400",
        isFirst: true,
      },
      {
        family: "Atkinson",
        package: "@fontsource/atkinson-hyperlegible",
        file: "atkinson-hyperlegible-latin-700-normal.woff2",
        weight: "700",
      },
      {
        family: "Atkinson",
        package: "@fontsource/atkinson-hyperlegible",
        file: "atkinson-hyperlegible-latin-400-italic.woff2",
        weight: "400",
        style: "italic",
      },
    ],
    fallbacks: [...fallbacks("Atkinson Bold", arialBold, 100, 111), ...fallbacks("Atkinson", arial, 99, 102)],
  },
} as const satisfies Readonly<Record<string, FontPair>>;
