/** Characters of a cause's text that its card shows (HOME-5), and of a news item's (HOME-10). */
export const CAUSE_CUT = 60;
export const NEWS_CUT = 100;

const EXCERPT_WHOLE = 150;
const EXCERPT_CUT = 100;

/** The first `length` characters and dots, or null when the text is no longer than that and shows whole. */
export function cutText(text: string, length: number): string | null {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join("")}...` : null;
}

/** Text of up to 150 characters whole, longer text as its first 100 and dots (HOME-11). */
export function excerpt(text: string): string {
  return [...text].length > EXCERPT_WHOLE ? (cutText(text, EXCERPT_CUT) ?? text) : text;
}
