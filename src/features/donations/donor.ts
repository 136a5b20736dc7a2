import { z } from "zod";
import { plainLine } from "#shared/plain-line.ts";

// Apart from the contract, because the first step of the page needs these rules and nothing else of it.

/** Letters, digits, spaces and hyphens, 1 to 12: never Australian post codes only (LOG-12). */
export const Postcode = z
  .string()
  .trim()
  .min(1, "Post Code is required")
  .regex(/^[A-Za-z0-9 -]{1,12}$/, "Enter a post code of at most 12 letters, digits, spaces or hyphens");
export const Email = z
  .string()
  .trim()
  .min(1, "Email is required")
  .max(254, "Please enter a valid email address")
  .pipe(z.email("Please enter a valid email address"));
export const FirstName = z
  .string()
  .trim()
  .min(1, "First Name is required")
  .max(100, "Enter a first name of at most 100 letters")
  .regex(plainLine, "Enter a first name without control characters");
export const LastName = z
  .string()
  .trim()
  .min(1, "Last Name is required")
  .max(100, "Enter a last name of at most 100 letters")
  .regex(plainLine, "Enter a last name without control characters");

export const ANONYMOUS = { firstName: "Anonymous", lastName: "User" } as const;
