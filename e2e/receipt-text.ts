import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The words of all pages of a PDF, separated by single spaces. */
export async function readPdf(bytes: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ("str" in item ? item.str : "")).join(""));
  }
  return pages.join("\n").replace(/\s+/g, " ");
}

/** Only the letters: kerning and separately drawn dots put spaces into extracted Urdu. */
export const lettersOf = (text: string) => text.normalize("NFKC").replace(/[^\p{L}]/gu, "");
