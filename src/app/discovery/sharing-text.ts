import { createRequire } from "node:module";
import { sharp } from "#shared/images/sharp.ts";

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

/** Sizes in pixels, the first that fits is taken. Noto Sans has the letters that the other two lack. */
const styles = {
  title: { font: "Young Serif, Noto Sans", sizes: [76, 68, 60, 52, 46], lines: 4 },
  name: { font: "Figtree, Noto Sans", sizes: [27, 23, 20], lines: 2 },
} as const;

/** From line to line, in sizes of the letters. */
const pitch = { latin: 1.22, arabic: 1.72 };
const arabic = /\p{Script=Arabic}/u;
const mostLetters = 240;

/**
 * Draws words in white into a box of so many pixels: in the largest size that fits, cut with an ellipsis when none does.
 * @returns nothing when there is nothing to be read.
 */
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
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  let [shortest, longest] = [1, letters.length];
  while (longest - shortest > 1) {
    const middle = (shortest + longest) >> 1;
    if (fits(await draw(cutAt(letters, middle), smallest), smallest)) shortest = middle;
    else longest = middle;
  }
  return draw(cutAt(letters, shortest), smallest);
}

/** So many letters, back to the end of the last whole word where there is one near. */
function cutAt(letters: readonly string[], count: number): string {
  const cut = letters.slice(0, count).join("");
  const words = cut.replace(/\s+\S*$/u, "");
  return `${(words.length > cut.length - 20 ? words : cut).replace(/[\s.,:;–-]+$/u, "")}…`;
}

/** Without what no face here can show (emoji) and what would break the markup (controls, halves of characters). */
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
  const letters = [...new Intl.Segmenter().segment(shown)];
  return letters.length > mostLetters ? `${shown.slice(0, letters[mostLetters]!.index)}…` : shown;
}

type Setting = { style: keyof typeof styles; size: number; width: number; isArabic: boolean };

async function render(words: string, { style, size, width, isArabic }: Setting): Promise<TextImage> {
  await learnFaces();
  const { font } = styles[style];
  const lineHeight = isArabic ? "" : ' line_height="0.86"';
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

/** Young Serif has old-style figures, so numbers are set in Figtree; Arabic letters have their own face. */
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

/** As the first letter goes that has a direction. */
function isRightToLeft(words: string): boolean {
  return /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(words);
}

let learnt: Promise<unknown> | undefined;

/** A face is known to the process once it has drawn a letter; only then can others fall back on it. */
function learnFaces(): Promise<unknown> {
  learnt ??= Promise.all(
    Object.entries(files).map(([font, fontfile]) =>
      sharp({ text: { text: "a", font, fontfile } })
        .raw()
        .toBuffer(),
    ),
  );
  return learnt;
}
