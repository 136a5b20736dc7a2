import { Dicer } from "@fastify/busboy";

type Info = (this: unknown, isMatch: boolean, data?: Buffer, start?: number, end?: number) => void;

/** Longer than any boundary with what stands before it (RFC 2046: 70 characters and "\r\n--"). */
const LONGEST_LOOKBEHIND = 128;

/**
 * The parser of forms keeps what may be the beginning of a boundary in a buffer of its own. When it was none, it hands on
 * a view of that buffer and writes over it before the view is read: a picture could arrive with wrong bytes. Such short
 * pieces are copied here before they are handed on.
 */
export function copyFormPieces(): void {
  const parser = Dicer.prototype as unknown as { _oninfo: Info & { copies?: true } };
  const handOn = parser._oninfo;
  if (handOn.copies) return;
  parser._oninfo = function (isMatch, data, start = 0, end = 0) {
    const isShort = data !== undefined && end - start <= LONGEST_LOOKBEHIND;
    if (isShort) handOn.call(this, isMatch, Buffer.from(data.subarray(start, end)), 0, end - start);
    else handOn.call(this, isMatch, data, start, end);
  };
  parser._oninfo.copies = true;
}
