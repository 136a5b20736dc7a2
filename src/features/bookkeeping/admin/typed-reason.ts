import { z } from "zod";
import { plainText } from "#shared/contract/plain-line.ts";

/** A reason that a person has to write; `ask` says so. */
export const typedReason = (ask: string) =>
  z.string(ask).transform(plainText).pipe(z.string().min(3, ask).max(500, "This is too long: at most 500 characters."));
