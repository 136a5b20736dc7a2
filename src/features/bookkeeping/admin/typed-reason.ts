import { z } from "zod";
import { plainText } from "#shared/contract/plain-line.ts";

/** The rule for a reason that has to be typed; `ask` is the message if it is missing. */
export const typedReason = (ask: string) =>
  z.string(ask).transform(plainText).pipe(z.string().min(3, ask).max(500, "This is too long: at most 500 characters."));
