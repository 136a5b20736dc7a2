import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The words of a PDF, all pages, with single blanks between them. */
export async function readPdf(bytes: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ("str" in item ? item.str : "")).join(""));
  }
  return pages.join("\n").replace(/\s+/g, " ");
}

/** The letters alone: kerning and dots drawn apart put blanks into what is read of Urdu. */
export const lettersOf = (text: string) => text.normalize("NFKC").replace(/[^\p{L}]/gu, "");
