import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import wasmUrl from "zxing-wasm/reader/zxing_reader.wasm?url";

/** The text of the QR code in a picture; null if none can be read. */
type ReadCode = (picture: ImageData) => Promise<string | null>;

/** What the reader loads later, and the phone has to keep. */
export const readerFiles = [wasmUrl];

type Detector = { detect(picture: ImageData): Promise<{ rawValue: string }[]> };
declare global {
  var BarcodeDetector:
    | { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<string[]> }
    | undefined;
}

/** The browser's own reader where it has one (Chrome on Android), otherwise ours. */
export async function openReader(): Promise<ReadCode> {
  const formats = await globalThis.BarcodeDetector?.getSupportedFormats().catch((): string[] => []);
  if (globalThis.BarcodeDetector !== undefined && formats?.includes("qr_code")) {
    const detector = new globalThis.BarcodeDetector({ formats: ["qr_code"] });
    return async (picture) => (await detector.detect(picture))[0]?.rawValue ?? null;
  }
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
  const options = { formats: ["QRCode" as const], tryHarder: true, maxNumberOfSymbols: 1 };
  return async (picture) => (await readBarcodes(picture, options)).find(({ isValid }) => isValid)?.text ?? null;
}
