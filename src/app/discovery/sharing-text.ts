import { createRequire } from "node:module";
import { graphemes } from "#shared/language.ts";

export type TextImage = {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  readonly isRightToLeft: boolean;
};

const resolveFile = createRequire(import.meta.url).resolve;
const files = {
  "Young Serif": resolveFile("@expo-google-fonts/young-serif/400Regular/YoungSerif_400Regular.ttf"),
  Figtree: resolveFile("@expo-google-fonts/figtree/700Bold/Figtree_700Bold.ttf"),
  "Noto Naskh Arabic": resolveFile("@expo-google-fonts/noto-naskh-arabic/700Bold/NotoNaskhArabic_700Bold.ttf"),
  "Noto Sans": resolveFile("@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf"),
} as const;

/** Sizes in pixels, of which the first that fits is used. Noto Sans has characters that the other two lack. */
const styles = {
  title: { font: "Young Serif, Noto Sans", sizes: [76, 68, 60, 52, 46], lines: 4 },
  name: { font: "Figtree, Noto Sans", sizes: [27, 23, 20], lines: 2 },
} as const;

/** Line height as a multiple of the font size. */
const pitch = { latin: 1.22, arabic: 1.72 };
const arabic = /\p{Script=Arabic}/u;
const MAX_LETTERS = 240;

/** Draws white text in the largest size that fits a box of pixels, or cuts it. @returns undefined for an empty text. */
export async function drawText(
  raw: string,
  style: keyof typeof styles,
  box: { width: number; height: number },
): Promise<TextImage | undefined> {
  const text = readable(raw);
  if (/^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text)) return undefined;
  const isArabic = arabic.test(text);
  const { sizes, lines } = styles[style];
  const draw = (words: string, size: number) => render(words, { style, size, width: box.width, isArabic });
  const fits = ({ height }: { height: number }, size: number) =>
    height <= box.height && height <= lines * size * (isArabic ? pitch.arabic : pitch.latin);
  for (const size of sizes) {
    const drawn = await draw(text, size);
    if (fits(drawn, size)) return drawn;
  }
  const smallest = sizes.at(-1)!;
  const letters = [...graphemes.segment(text)].map(({ segment }) => segment);
  let [min, max] = [1, letters.length];
  while (max - min > 1) {
    const middle = (min + max) >> 1;
    if (fits(await draw(cutAt(letters, middle), smallest), smallest)) min = middle;
    else max = middle;
  }
  return draw(cutAt(letters, min), smallest);
}

/** The first `count` letters, cut back to the last whole word if one ends nearby. */
function cutAt(letters: readonly string[], count: number): string {
  const cut = letters.slice(0, count).join("");
  const words = cut.replace(/\s+\S*$/u, "");
  return `${(words.length > cut.length - 20 ? words : cut).replace(/[\s.,:;–-]+$/u, "")}…`;
}

/** Removes what our fonts can't show (emoji) and what would break the markup (control characters, lone surrogates). */
function readable(raw: string): string {
  const shown = raw
    .slice(0, 2000)
    .toWellFormed()
    .normalize()
    .replace(
      /(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u{200d}|\u{20e3}|\u{fe0f}/gu,
      "",
    )
    .replace(/[\p{Cc}\p{Cn}\p{Co}\p{Cs}\u{2028}-\u{202e}\u{2066}-\u{2069}\u{feff}\u{fffc}\u{fffd}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const letters = [...graphemes.segment(shown)];
  return letters.length > MAX_LETTERS ? `${shown.slice(0, letters[MAX_LETTERS]!.index)}…` : shown;
}

type Setting = { style: keyof typeof styles; size: number; width: number; isArabic: boolean };

async function render(words: string, { style, size, width, isArabic }: Setting): Promise<TextImage> {
  await loadFonts();
  const { font } = styles[style];
  const lineHeight = isArabic ? "" : ' line_height="0.86"';
  const { sharp } = await import("#shared/images/sharp.ts");
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="#fff"${lineHeight}>${markUp(words)}</span>`,
      font: `${font} ${size}`,
      fontfile: files[style === "title" ? "Young Serif" : "Figtree"],
      rgba: true,
      width,
      dpi: 72,
      wrap: "word-char",
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, isRightToLeft: isRightToLeft(words) };
}

/** Young Serif has old-style figures, so numbers are set in Figtree; Arabic has its own font. */
function markUp(words: string): string {
  return escapeMarkup(words).replace(
    /[0-9]+(?![0-9]*;)|[\p{Script=Arabic}\p{Mn}\u200c]+(?:\s+[\p{Script=Arabic}\p{Mn}\u200c]+)*/gu,
    (run) => `<span face="${arabic.test(run) ? "Noto Naskh Arabic" : "Figtree"}" weight="bold">${run}</span>`,
  );
}

function escapeMarkup(words: string): string {
  return words.replace(
    /[&<>"']/g,
    (each) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[each] ?? "&apos;",
  );
}

/** The direction of the first letter. */
function isRightToLeft(words: string): boolean {
  return /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(words);
}

let loaded: Promise<unknown> | undefined;

/** Loads all fonts, by drawing a letter in each: only then can one fall back on another. */
async function loadFonts(): Promise<unknown> {
  const { sharp } = await import("#shared/images/sharp.ts");
  loaded ??= Promise.all(
    Object.entries(files).map(([font, fontfile]) =>
      sharp({ text: { text: "a", font, fontfile } })
        .raw()
        .toBuffer(),
    ),
  );
  return loaded;
}
