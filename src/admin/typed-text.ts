import { z } from "zod";
import { plainText } from "#shared/contract/plain-line.ts";

/** A text of several lines, without characters that cannot be shown. */
export const typedText = (missing: string, most: number) =>
  z
    .string(missing)
    .transform(plainText)
    .pipe(z.string().min(1, missing).max(most, `Enter at most ${most} characters`));
