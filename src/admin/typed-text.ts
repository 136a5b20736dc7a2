import { z } from "zod";
import { plainText } from "#shared/contract/plain-line.ts";
import { CARD_IN_TEXT, hasCardNumber } from "./card-number.ts";

/** A text of several lines that is kept, without characters that cannot be shown, and without a card number. */
export const typedText = (missing: string, maxLength: number, minLength = 1) =>
  z
    .string(missing)
    .transform(plainText)
    .pipe(
      z
        .string()
        .min(minLength, missing)
        .max(maxLength, `Enter at most ${maxLength} characters`)
        .refine((text) => !hasCardNumber(text), CARD_IN_TEXT),
    );
