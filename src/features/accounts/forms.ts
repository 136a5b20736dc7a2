import { z } from "zod";
import { latinDigits } from "#shared/contract/latin-digits.ts";
import { Postcode } from "#shared/contract/postcode.ts";
import {
  AccountEmail,
  AccountFirstName,
  AccountLastName,
  CountryName,
  GivenPassword,
  LoginEmail,
  MobileNumber,
  newPassword,
  PreferredContact,
  StateName,
  sentences,
} from "./person.ts";

// What the log-in, registration and reset pages check before they send.

export const LoginFields = z.object({ email: LoginEmail, password: GivenPassword });
export type LoginFields = z.output<typeof LoginFields>;

export const ForgotFields = z.object({ email: LoginEmail });

type Passwords = { readonly password?: unknown; readonly confirmPassword?: unknown };

/** Reported at the second password even if other fields are wrong (LOG-9, LOG-12). */
const matching = {
  path: ["confirmPassword"],
  message: sentences.noMatch,
  when: () => true,
};
const doMatch = ({ password, confirmPassword }: Passwords) => password === confirmPassword;

export const ResetFields = z
  .object({
    code: z
      .string()
      .transform((typed) => latinDigits(typed).replace(/\s/g, ""))
      .pipe(
        z
          .string()
          .min(1, sentences.codeRequired)
          .regex(/^\d{1,20}$/, "Enter the code from the email, digits only."),
      ),
    email: LoginEmail,
    password: newPassword(sentences.resetPassword),
    confirmPassword: z.string().min(8, sentences.resetConfirm),
  })
  .refine(doMatch, matching);
export type ResetFields = z.output<typeof ResetFields>;

export const RegisterFields = z
  .object({
    firstName: AccountFirstName,
    lastName: AccountLastName,
    email: AccountEmail,
    country: CountryName,
    state: StateName,
    mobile: MobileNumber,
    postcode: Postcode,
    password: newPassword(sentences.registerPassword),
    confirmPassword: z.string().min(8, sentences.registerConfirm),
    preferredContact: PreferredContact,
  })
  .refine(doMatch, matching);
export type RegisterFields = z.output<typeof RegisterFields>;

/** Whether Register shows its alert, too (LOG-14). */
export function hasPasswordFault({ password, confirmPassword }: Passwords): boolean {
  return password !== confirmPassword || password === "";
}
