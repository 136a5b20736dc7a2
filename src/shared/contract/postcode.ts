import { z } from "zod";
import { latinDigits } from "./latin-digits.ts";
import { messages } from "./messages.ts";

const EMPTY = "Post Code is required";

/** 1 to 12 letters, digits, spaces and hyphens, so overseas postcodes pass too (LOG-12). */
export const Postcode = z
  .string(EMPTY)
  .overwrite(latinDigits)
  .trim()
  .min(1, { error: EMPTY, abort: true })
  .regex(/^[A-Za-z0-9 -]{1,12}$/, messages.postcode);
