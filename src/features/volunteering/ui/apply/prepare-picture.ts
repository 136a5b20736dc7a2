import { asJpeg, drawPicture } from "#shared/images/ui/reduce-picture.ts";

/** A picture to send, and a small preview as a data URL. */
export type ChosenPicture = { readonly file: Blob; readonly name: string; readonly preview: string | undefined };
export type Prepared = ChosenPicture | { readonly fault: string };

const MEGABYTE = 1024 * 1024;
const MAX_FILE_BYTES = 10 * MEGABYTE;
/** Cheap phones run out of memory with larger ones. */
const MAX_OPENED_BYTES = 50 * MEGABYTE;
/** Larger pictures are reduced before sending, for slow connections. */
const LARGE_FILE = 3 * MEGABYTE;
const LARGE_SIDE = 2500;
const SENT_SIDE = 1600;
const PREVIEW_SIDE = 480;

const faults = {
  empty: "This file is empty. Please choose another picture.",
  large: "This picture is larger than 10 MB. Please choose a smaller one.",
  heic: "This is a HEIC picture, the iPhone’s format. Please save it as JPEG or PNG first.",
  kind: "Please choose a JPEG, PNG or WebP picture.",
  damaged:
    "We couldn’t open this picture; it may be damaged. Please choose another one, or save it again as JPEG or PNG.",
};

/** Checks a chosen file by its bytes, as the server does, not by its name. */
export async function preparePicture(file: File): Promise<Prepared> {
  if (file.size === 0) return { fault: faults.empty };
  try {
    const head = await readHead(file);
    if (isHeic(head)) return { fault: faults.heic };
    if (!isPicture(head)) return { fault: faults.kind };
    if (file.size > MAX_OPENED_BYTES) return { fault: faults.large };
    const picture = await openPicture(file);
    return picture.file.size > MAX_FILE_BYTES ? { fault: faults.large } : picture;
  } catch {
    return { fault: file.size > MAX_FILE_BYTES ? faults.large : faults.damaged };
  }
}

async function openPicture(file: File): Promise<ChosenPicture> {
  // Browsers apply the camera's orientation.
  const bitmap = await createImageBitmap(file);
  try {
    const preview = drawPicture(bitmap, PREVIEW_SIDE).toDataURL("image/jpeg", 0.8);
    const isLarge = file.size > LARGE_FILE || Math.max(bitmap.width, bitmap.height) > LARGE_SIDE;
    const smaller = isLarge ? await asJpeg(drawPicture(bitmap, SENT_SIDE)) : null;
    return smaller === null
      ? { file, name: file.name, preview }
      : { file: smaller, name: `${file.name.replace(/\.\w+$/, "")}.jpg`, preview };
  } finally {
    bitmap.close();
  }
}

async function readHead(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  return String.fromCharCode(...bytes);
}

function isPicture(head: string): boolean {
  return (
    head.startsWith("\xff\xd8\xff") ||
    head.startsWith("\x89PNG\r\n\x1a\n") ||
    (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP")
  );
}

/** An ISO media file with a HEIF brand. */
function isHeic(head: string): boolean {
  return head.slice(4, 8) === "ftyp" && /^(?:hei[cmsx]|hev[cx]|mif1|msf1)$/.test(head.slice(8, 12));
}
