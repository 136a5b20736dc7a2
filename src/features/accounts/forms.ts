import { z } from "zod";
import {
  CountryName,
  Email,
  FirstName,
  GivenPassword,
  LastName,
  LoginEmail,
  MobileNumber,
  newPassword,
  Postcode,
  PreferredContact,
  StateName,
  sentences,
} from "./person.ts";

// What the pages before one is logged in check before they send anything.

export const LoginFields = z.object({ email: LoginEmail, password: GivenPassword });
export type LoginFields = z.output<typeof LoginFields>;

export const ForgotFields = z.object({ email: LoginEmail });

type Passwords = { readonly password?: unknown; readonly confirmPassword?: unknown };

/** Says so at the second password, whatever else is wrong with the form (LOG-9, LOG-12). */
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
      .transform((typed) => typed.replace(/\s/g, ""))
      .pipe(
        z
          .string()
          .min(1, sentences.codeRequired)
          .regex(/^\d{1,20}$/, "Enter the code as it stands in the email: digits alone."),
      ),
    email: LoginEmail,
    password: newPassword(sentences.resetPassword),
    confirmPassword: z.string().min(8, sentences.resetConfirm),
  })
  .refine(doMatch, matching);
export type ResetFields = z.output<typeof ResetFields>;

export const RegisterFields = z
  .object({
    firstName: FirstName,
    lastName: LastName,
    email: Email,
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

/** LOG-14: what a press of Register answers with an alert, too. */
export function doPasswordsFail({ password, confirmPassword }: Passwords): boolean {
  return password !== confirmPassword || password === "";
}
