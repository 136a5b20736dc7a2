/** Normalises line ends, and removes control characters and lone surrogates, which parsers treat differently. */
export function toPlainCharacters(html: string): string {
  return html
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "");
}

/** For text between tags, not for attributes. */
export const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
