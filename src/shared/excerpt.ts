/** Characters that a cause's card (HOME-5) and a news item (HOME-10) show. */
export const CAUSE_CUT = 60;
export const NEWS_CUT = 100;

const EXCERPT_WHOLE = 150;
const EXCERPT_CUT = 100;

/** The first `length` characters and dots, or null if the text is not longer. */
export function cutText(text: string, length: number): string | null {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join("")}...` : null;
}

/** Text of up to 150 characters in full, longer text cut at 100 with dots (HOME-11). */
export function excerpt(text: string): string {
  return [...text].length > EXCERPT_WHOLE ? (cutText(text, EXCERPT_CUT) ?? text) : text;
}
