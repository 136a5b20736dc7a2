import { z } from "zod";
import { plainLine } from "#shared/contract/plain-line.ts";

// The rules of registration, log-in and profile, with the sentences of the specification (LOG-2, LOG-12, PRO-5). Pages
// check with them before sending, the server whatever comes.

const MOST_PASSWORD = 128;
const tooLong = `Please enter a password of at most ${MOST_PASSWORD} characters.`;

const line = (most: number, what: string, required = `Enter a ${what}`) =>
  z
    .string(required)
    .trim()
    .max(most, `Enter a ${what} of at most ${most} characters`)
    .regex(plainLine, `Enter a ${what} without control characters`);

const filled = (most: number, what: string, required: string) => line(most, what, required).min(1, required);

export const FirstName = filled(100, "first name", "First Name is required").min(2, "Enter at least 2 letters");
export const LastName = filled(100, "last name", "Last Name is required").min(2, "Enter at least 2 letters");
/** Registration says it without a full stop (LOG-12), log-in and reset with one (LOG-4, LOG-7). */
const email = (required: string, invalid: string) =>
  z
    .string(required)
    .trim()
    .min(1, required)
    .max(254, "Enter an email of at most 254 characters")
    .pipe(z.email(invalid));
export const Email = email("Email is required", "Invalid email format");
export const LoginEmail = email("Email is required.", "Invalid email format.");
export const CountryName = filled(100, "country", "Country is required");
export const StateName = filled(100, "state", "State is required");
export const City = line(100, "city");
export const Postcode = z
  .string("Post Code is required")
  .trim()
  .min(1, "Post Code is required")
  .regex(/^[A-Za-z0-9 -]{1,12}$/, "Enter a post code of at most 12 letters, digits, spaces or hyphens");
/** What a member calls a passkey. */
export const PasskeyName = filled(60, "name", "Enter a name");
export const PreferredContact = z.enum(["SMS", "Email"], "Choose SMS or Email");

/** A mobile number as people write it: spaces, brackets, dashes, dots and a leading + go, digits stay (LOG-13). */
export function tidyMobile(typed: string): string {
  return typed
    .trim()
    .replace(/^\+/, "")
    .replace(/[\s().-]/g, "");
}
/** The part behind the dial code, as typed into the field. */
export const MobileNumber = z
  .string("Mobile Number is required")
  .min(1, "Mobile Number is required")
  .transform(tidyMobile)
  .pipe(z.string().regex(/^\d{6,14}$/, "Enter a mobile number of 6 to 14 digits"));

const shortPassword = "Please enter a password with at least 8 characters.";
/** At log-in: long enough to be a password at all. */
export const GivenPassword = z.string(shortPassword).min(8, shortPassword).max(MOST_PASSWORD, tooLong);

/** Where a password is set; `says` is the form's own sentence for one that is too short. */
export const newPassword = (says: string) => z.string(says).min(8, says).max(MOST_PASSWORD, tooLong);

export const sentences = {
  registerPassword: "Password is required and must be at least 8 characters long.",
  registerConfirm: "confirmPassword is required and must be at least 8 characters long.",
  resetPassword: "Password must be at least 8 characters long.",
  resetConfirm: "Confirm Password must be at least 8 characters long.",
  oldRequired: "Old Password is required.",
  newRequired: "New Password is required.",
  newShort: "New Password must be at least 8 characters long.",
  confirmRequired: "Confirm Password is required.",
  confirmShort: "Confirm Password must be at least 8 characters long.",
  noMatch: "Passwords do not match",
  noMatchAlert: "Password does not match",
  loginFailed: "Email or password is incorrect.",
  codeFailed: "The code is wrong or has expired.",
  emailRequired: "Email is required.",
  emailInvalid: "Invalid email format.",
  codeRequired: "Code is required.",
  emailTaken: "This email address already has an account. Log in, or reset its password.",
  registrationFailed: "Registration failed. Please try again.",
  resetDone: "Password Reset Successfully!",
  passwordChanged: "Password Changed!",
  wrongOldPassword: "This is not your present password.",
} as const;
