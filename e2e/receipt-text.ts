import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The pieces of text on each page of a PDF, in points from its lower left corner. */
export async function readPages(bytes: Buffer) {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.filter((item) => "str" in item));
  }
  return pages;
}

/** The words of all pages of a PDF, separated by single spaces. */
export async function readPdf(bytes: Buffer): Promise<string> {
  const pages = await readPages(bytes);
  return pages
    .map((pieces) => pieces.map(({ str }) => str).join(""))
    .join("\n")
    .replace(/\s+/g, " ");
}

/** Only the letters: kerning and separately drawn dots put spaces into extracted Urdu. */
export const lettersOf = (text: string) => text.normalize("NFKC").replace(/[^\p{L}]/gu, "");
