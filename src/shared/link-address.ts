import { z } from "zod";

/** Whether it is a path of this site that no browser takes for another site (`//host`, `/\host`, control characters). */
export const isOwnPath = (text: string) => /^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(text);

/** An https address of a host with a dot, without a name or password. */
const webAddress = /^https:\/\/[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+(:\d{1,5})?([/?#][^\s\\\p{Cc}]*)?$/iu;
const isWebAddress = (text: string) => webAddress.test(text);

const MAX_LENGTH = 500;

/** Where a link leads: a page of this site or an https address. It may be empty. */
export const linkAddress = z
  .string()
  .trim()
  .max(MAX_LENGTH, `Shorten this to at most ${MAX_LENGTH} characters.`)
  .refine(
    (text) => text === "" || isOwnPath(text) || isWebAddress(text),
    "Enter a page on this site, such as /donation, or an address that begins with https://.",
  );
