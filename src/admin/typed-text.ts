import { z } from "zod";
import { plainText } from "#shared/contract/plain-line.ts";
import { CARD_IN_TEXT, hasCardNumber } from "./card-number.ts";

/** A text of several lines that is kept, without characters that cannot be shown, and without a card number. */
export const typedText = (missing: string, most: number, least = 1) =>
  z
    .string(missing)
    .transform(plainText)
    .pipe(
      z
        .string()
        .min(least, missing)
        .max(most, `Enter at most ${most} characters`)
        .refine((text) => !hasCardNumber(text), CARD_IN_TEXT),
    );
