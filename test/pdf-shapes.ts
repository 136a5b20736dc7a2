import { getDocument, OPS } from "pdfjs-dist/legacy/build/pdf.mjs";

/** How many shapes each page of a PDF has: the printed strip alone has more than a hundred. */
export async function countShapes(bytes: Uint8Array): Promise<number[]> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const numbers = Array.from({ length: document.numPages }, (_, index) => index + 1);
  return Promise.all(
    numbers.map(async (number) => {
      const { fnArray } = await (await document.getPage(number)).getOperatorList();
      return fnArray.filter((operator) => operator === OPS.constructPath).length;
    }),
  );
}
