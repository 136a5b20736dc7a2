/** The content of the nth attachment of a letter as nodemailer writes it: each is a base64 part of its own. */
export function attachmentContent(source: Buffer, index: number): Buffer | undefined {
  const text = source.toString("latin1");
  const boundary = /boundary="([^"]+)"/.exec(text)?.[1];
  if (boundary === undefined) return undefined;
  const attached = text
    .split(`\r\n--${boundary}`)
    .map((part) => {
      const end = part.indexOf("\r\n\r\n");
      return { head: part.slice(0, end), body: part.slice(end + 4) };
    })
    .filter(({ head }) => /^Content-Disposition: attachment/im.test(head))[index];
  return attached && Buffer.from(attached.body, "base64");
}
