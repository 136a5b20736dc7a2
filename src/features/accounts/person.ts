import { z } from "zod";
import { messages } from "#shared/contract/messages.ts";
import { plainPhoneNumber } from "#shared/contract/phone-number.ts";
import { plainLine } from "#shared/contract/plain-line.ts";

// The rules of registration, log-in and profile, with the specification's sentences (LOG-2, LOG-12, PRO-5). Pages check
// them before sending; the server checks every request.

const MAX_PASSWORD_LENGTH = 128;
const tooLong = `Please enter a password of at most ${MAX_PASSWORD_LENGTH} characters.`;

const line = (maxLength: number, required: string) =>
  z.string(required).trim().max(maxLength, messages.atMost(maxLength)).regex(plainLine, messages.notPlain);

const filled = (maxLength: number, required: string) => line(maxLength, required).min(1, required);

export const AccountFirstName = filled(100, "First Name is required").min(2, "Enter at least 2 letters");
export const AccountLastName = filled(100, "Last Name is required").min(2, "Enter at least 2 letters");
/** Without a full stop at registration (LOG-12), with one at log-in and reset (LOG-4, LOG-7). */
const email = (required: string, invalid: string) =>
  z.string(required).trim().min(1, required).max(254, messages.emailTooLong).pipe(z.email(invalid));
export const AccountEmail = email("Email is required", "Invalid email format");
export const LoginEmail = email("Email is required.", "Invalid email format.");
export const CountryName = filled(100, "Country is required");
export const StateName = filled(100, "State is required");
export const City = line(100, "Enter a city");
export const PasskeyName = filled(60, "Enter a name");
export const PreferredContact = z.enum(["SMS", "Email"], "Choose SMS or Email");

/** Removes the spaces, brackets, dashes, dots and leading + that people type in a mobile number (LOG-13). */
export function tidyMobile(typed: string): string {
  return plainPhoneNumber(typed)
    .replace(/^\+/, "")
    .replace(/[\s().-]/g, "");
}
/** The number without its dial code, as typed. */
export const MobileNumber = z
  .string("Mobile Number is required")
  .min(1, "Mobile Number is required")
  .transform(tidyMobile)
  .pipe(z.string().regex(/^\d{6,14}$/, messages.mobile));

const shortPassword = "Please enter a password with at least 8 characters.";
/** An existing password. */
export const GivenPassword = z.string(shortPassword).min(8, shortPassword).max(MAX_PASSWORD_LENGTH, tooLong);

/** `says` is the form's own message for a password that is too short. */
export const newPassword = (text: string) => z.string(text).min(8, text).max(MAX_PASSWORD_LENGTH, tooLong);

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
  emailTaken: "This email address already has an account. Log in, or reset your password.",
  registrationFailed: "Registration failed. Please try again.",
  resetDone: "Password Reset Successfully!",
  passwordChanged: "Password Changed!",
  wrongOldPassword: "This isn’t your current password.",
  loggedOut:
    "You’ve been logged out. Log in again in another tab, then press the button again. What you entered is still here.",
} as const;

/** The password that replaces another (PRO-5). */
export const ChangedPassword = z
  .string(sentences.newRequired)
  .min(1, sentences.newRequired)
  .pipe(newPassword(sentences.newShort));
