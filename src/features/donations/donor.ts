import { z } from "zod";
import { latinDigits } from "#shared/contract/latin-digits.ts";
import { messages } from "#shared/contract/messages.ts";

// Separate from contract.ts so that the first step of the form loads only these rules.

/** 1 to 12 letters, digits, spaces and hyphens, so overseas postcodes pass too (LOG-12). */
export const Postcode = z
  .string()
  .overwrite(latinDigits)
  .trim()
  .min(1, "Post Code is required")
  .regex(/^[A-Za-z0-9 -]{1,12}$/, messages.postcode);

/** What stands for the name of a donor who gave anonymously. */
export const ANONYMOUS_DONOR = "Anonymous donor";

/** What the form fills in for one. */
export const ANONYMOUS = { firstName: "Anonymous", lastName: "User" } as const;
