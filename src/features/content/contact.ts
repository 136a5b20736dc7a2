import { z } from "zod";
import { plainText } from "#shared/contract/plain-line.ts";

/** Maximum number of characters of each field, as people count them. */
export const maxLengths = { name: 100, phone: 30, subject: 200, message: 5000 } as const;

export const THANKS = "Thank you. We have your message.";

/** Counts code points, so that an emoji or a letter of any script is one character. */
function countCharacters(text: string): number {
  return [...text].length;
}

/** Replaces line ends, control characters and direction marks with spaces, so that the value stays one line. */
export function cleanLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .replace(/ +/g, " ")
    .trim();
}

const atMost = (maxLength: number) => (text: string) => countCharacters(text) <= maxLength;
const noName = "Please enter your name.";
const noEmail = "Please enter your email.";
const badEmail = "Please enter a valid email address, such as name@example.com.";
const noMessage = "Please enter your message.";

/** The fields of the contact page (PAGE-7). Phone and subject are empty when left out. */
export const ContactFields = z.object({
  name: z
    .string(noName)
    .overwrite(cleanLine)
    .min(1, noName)
    .refine(atMost(maxLengths.name), "Please shorten your name to at most 100 characters."),
  email: z
    .string(noEmail)
    .overwrite(cleanLine)
    .min(1, noEmail)
    .max(254, "Please shorten your email to at most 254 characters.")
    .pipe(z.email(badEmail)),
  phone: z
    .string("Please enter a phone number, or leave it out.")
    .overwrite(cleanLine)
    .refine(atMost(maxLengths.phone), "Please shorten the phone number to at most 30 characters.")
    .default(""),
  subject: z
    .string("Please enter a subject, or leave it out.")
    .overwrite(cleanLine)
    .refine(atMost(maxLengths.subject), "Please shorten the subject to at most 200 characters.")
    .default(""),
  message: z
    .string(noMessage)
    .overwrite(plainText)
    .min(1, noMessage)
    .refine(atMost(maxLengths.message), "Please shorten your message to at most 5,000 characters."),
});
export type ContactFields = z.output<typeof ContactFields>;
