import { z } from "zod";

// Apart from the contract, because the first step of the page needs these rules and nothing else of it.

/** Letters, digits, spaces and hyphens, 1 to 12: never Australian post codes only (LOG-12). */
export const Postcode = z
  .string()
  .trim()
  .min(1, "Post Code is required")
  .regex(/^[A-Za-z0-9 -]{1,12}$/, "Enter a post code of at most 12 letters, digits, spaces or hyphens");

export const ANONYMOUS = { firstName: "Anonymous", lastName: "User" } as const;
