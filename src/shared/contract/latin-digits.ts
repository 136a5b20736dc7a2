/** The digits and separators of a number, typed on an Urdu (۱۲٫۵) or Arabic (١٢٫٥) keyboard, as 12.5. */
export function latinDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll("\u066b", ".")
    .replaceAll("\u066c", ",");
}
