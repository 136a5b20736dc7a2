import { z } from "zod";
import { messages } from "./messages.ts";
import { plainLine } from "./plain-line.ts";

// The payer's fields in every payment form. Apart from the contracts, because a first step needs only these.

export const Email = z
  .string("Email is required")
  .trim()
  .min(1, "Email is required")
  .max(254, messages.emailTooLong)
  .pipe(z.email("Please enter a valid email address"));
export const FirstName = z
  .string("First Name is required")
  .trim()
  .min(1, "First Name is required")
  .max(100, "Enter a first name of at most 100 characters")
  .regex(plainLine, "Enter a first name without control characters");
export const LastName = z
  .string("Last Name is required")
  .trim()
  .min(1, "Last Name is required")
  .max(100, "Enter a last name of at most 100 characters")
  .regex(plainLine, "Enter a last name without control characters");
