import { z } from "zod";
import { Postcode } from "#shared/contract/postcode.ts";
import { route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { NewPasskey, PasskeyOptions, UsedPasskey } from "#shared/passkeys/contract.ts";
import {
  AccountEmail,
  AccountFirstName,
  AccountLastName,
  ChangedPassword,
  City,
  CountryName,
  GivenPassword,
  newPassword,
  PasskeyName,
  PreferredContact,
  StateName,
  sentences,
} from "./person.ts";

/** A user id as the wire carries it: a number or its digits. */
const UserId = z.codec(z.union([z.int(), z.string().regex(/^\d{1,15}$/)]), z.int().min(0), {
  decode: (id) => Number(id),
  encode: (id) => id,
});

/** The eight digits of an email, as text or as the number that they make, which has lost its leading zeros. */
const ResetCode = z.codec(
  z.union([z.string(), z.int().nonnegative()], sentences.codeRequired),
  z.string().trim().min(1, sentences.codeRequired).max(20),
  { decode: (code) => (typeof code === "number" ? String(code).padStart(8, "0") : code), encode: (code) => code },
);

/** Dial code and number joined, with or without a leading +. */
const mobileMessage = "Enter the mobile number in digits, starting with the country’s dial code";
const Mobile = z
  .string(mobileMessage)
  .trim()
  .regex(/^\+?\d{6,20}$/, mobileMessage);

const wireNames = {
  id: "user_id",
  firstName: "first_name",
  lastName: "last_name",
  postcode: "postal_code",
  preferredContact: "prefered_contact",
} as const;
const changeNames = {
  oldPassword: "old_password",
  newPassword: "new_password",
  confirmPassword: "confirm_password",
} as const;
const resetNames = { confirmPassword: "password_confirmation" } as const;

/** Wire names of the fields that the server checks beyond their schema. */
export const wireField = {
  email: "email",
  country: "country",
  state: "state",
  mobile: "mobile",
  oldPassword: "old_password",
  confirmPassword: "confirm_password",
  resetConfirm: "password_confirmation",
} as const;

export const User = z.object({
  id: z.int(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  country: z.string(),
  state: z.string(),
  mobile: z.string(),
  postcode: z.string(),
  preferredContact: PreferredContact,
  city: z.string(),
});
export type User = z.output<typeof User>;
const UserOnWire = onWire(User, wireNames);

/** Renames the server's field errors from wire names to our own. */
export function byOwnNames(fields: FieldErrors): FieldErrors {
  const spelled = Object.entries({ ...wireNames, ...changeNames }).map(([our, wire]) => [wire, our] as const);
  const own = new Map<string, string>([...spelled, [resetNames.confirmPassword, "confirmPassword"]]);
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [own.get(name) ?? name, text]));
}

/** Needed after many tries for one email; the server then answers `captcha_dearer`. */
const Captcha = z.string().max(4096).optional();

export const logInCall = route({
  method: "POST",
  path: "/login",
  summary: "Logs in: sets the session cookie and returns the user; 401 if the email or password is wrong",
  body: z.object({ email: AccountEmail, password: GivenPassword, captcha: Captcha }),
  data: UserOnWire,
  successCode: "number",
});

export const findUserCall = route({
  method: "POST",
  path: "/user",
  needsSession: true,
  summary: "The user's own details",
  body: onWire(z.object({ id: UserId }), { id: "user_id" }),
  data: UserOnWire,
});

const Details = {
  firstName: AccountFirstName,
  lastName: AccountLastName,
  postcode: Postcode,
  mobile: Mobile,
  country: CountryName,
  state: StateName,
  preferredContact: PreferredContact,
};

const Registration = z.object({
  ...Details,
  email: AccountEmail,
  // The specification sends 'Not required', which is stored as empty.
  city: City.default(""),
  password: newPassword(sentences.registerPassword),
  captcha: z.string().max(4096).optional(),
});
export type Registration = z.output<typeof Registration>;
const { id: _, ...detailNames } = wireNames;

export const registerCall = route({
  method: "POST",
  path: "/user/create",
  summary: "Creates an account and logs in; 422 on the field email if the address has an account",
  body: onWire(Registration, detailNames),
  data: UserOnWire,
});

const Update = z.object({ id: UserId, ...Details, city: City.default("") });
export type Update = z.output<typeof Update>;

export const updateUserCall = route({
  method: "POST",
  path: "/updateUser",
  needsSession: true,
  summary: "Changes the user's own details; 403 for another user's id",
  body: onWire(Update, wireNames),
  data: UserOnWire,
});

export const changePasswordCall = route({
  method: "POST",
  path: "/changePassword",
  needsSession: true,
  summary: "Changes the user's password and ends all other sessions",
  body: onWire(
    z.object({
      id: UserId,
      oldPassword: z.string(sentences.oldRequired).min(1, sentences.oldRequired).max(128),
      newPassword: ChangedPassword,
      confirmPassword: z.string(sentences.confirmRequired).min(1, sentences.confirmRequired).max(128),
    }),
    { id: "user_id", ...changeNames },
  ),
  data: z.object({}),
});

export const sendResetCodeCall = route({
  method: "POST",
  path: "/password/email",
  summary: "Emails a code for setting a new password; the answer is the same whether or not the address has an account",
  body: z.object({ email: AccountEmail, captcha: Captcha }),
  data: z.object({}),
});

export const resetPasswordCall = route({
  method: "POST",
  path: "/password/reset",
  summary: "Sets a new password with the code and ends all sessions; every wrong code gets the same answer",
  body: onWire(
    z.object({
      email: AccountEmail,
      password: newPassword(sentences.resetPassword),
      confirmPassword: z.string(sentences.resetConfirm).min(1, sentences.resetConfirm).max(128),
      code: ResetCode,
      captcha: Captcha,
    }),
    resetNames,
  ),
  data: z.object({}),
});

export const logOutCall = route({
  method: "POST",
  path: "/logout",
  summary: "Ends this session in the browser and on the server",
  data: z.object({}),
});

/** Times are ISO 8601. */
export const listSessionsCall = route({
  method: "GET",
  path: "/sessions",
  needsSession: true,
  summary: "The user's sessions, latest visit first",
  data: z.array(
    z.object({
      id: z.uuid(),
      device: z.string(),
      createdAt: z.string(),
      lastSeenAt: z.string(),
      isThisOne: z.boolean(),
    }),
  ),
});

export const endOtherSessionsCall = route({
  method: "POST",
  path: "/sessions/end-others",
  needsSession: true,
  summary: "Ends all sessions but this one",
  data: z.object({ ended: z.int() }),
});

export const sendVerificationCall = route({
  method: "POST",
  path: "/email-verification/send",
  needsSession: true,
  summary: "Emails the link that confirms the user's address",
  data: z.object({}),
});

export const verifyEmailCall = route({
  method: "POST",
  path: "/email-verification",
  needsSession: true,
  summary:
    "Confirms the address with the key from that link, in a session of its account; adds donations made as a guest",
  body: z.object({ key: z.string().max(200) }),
  data: z.object({ joinedGifts: z.int() }),
});

export const closeAccountCall = route({
  method: "POST",
  path: "/close-account",
  needsSession: true,
  summary: "Closes the user's account; donations stay on the books without the person",
  body: z.object({ password: GivenPassword }),
  data: z.object({}),
});

/** For the hint of LOG-13. Doesn't reveal whether the number is in use. */
export const checkMobileCall = route({
  method: "POST",
  path: "/mobile-check",
  summary: "Whether a mobile number is likely for the country; only a hint",
  body: z.object({ country: CountryName, mobile: Mobile }),
  data: z.object({ isLikely: z.boolean() }),
});

/** Times are ISO 8601. */
export const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.string(),
  /** Null until it has logged in. */
  lastUsedAt: z.string().nullable(),
  /** Permanently refused, because a copy of it may exist. */
  isBlocked: z.boolean(),
});
export type Passkey = z.output<typeof Passkey>;

export const listPasskeysCall = route({
  method: "GET",
  path: "/passkeys",
  needsSession: true,
  summary: "The user's passkeys, oldest first",
  data: z.array(Passkey),
});

export const beginPasskeyCall = route({
  method: "POST",
  path: "/passkeys/options",
  needsSession: true,
  summary:
    "Options for creating a passkey, valid for five minutes; needs the password unless the log-in is under ten minutes old",
  body: z.object({ password: GivenPassword.optional() }),
  data: PasskeyOptions,
});

export const addPasskeyCall = route({
  method: "POST",
  path: "/passkeys/add",
  needsSession: true,
  summary: "Adds the passkey that the browser created, and emails the user",
  body: NewPasskey,
  data: Passkey,
});

export const renamePasskeyCall = route({
  method: "POST",
  path: "/passkeys/rename",
  needsSession: true,
  summary: "Renames one of the user's passkeys",
  body: z.object({ id: z.uuid(), name: PasskeyName }),
  data: z.object({}),
});

export const removePasskeyCall = route({
  method: "POST",
  path: "/passkeys/remove",
  needsSession: true,
  summary: "Removes one of the user's passkeys, and emails the user",
  body: z.object({ id: z.uuid() }),
  data: z.object({ credentialId: z.string() }),
});

export const beginPasskeyLoginCall = route({
  method: "GET",
  path: "/login/passkey/options",
  summary: "Options for logging in with a passkey, valid for five minutes; reveals nothing about accounts",
  data: PasskeyOptions,
});

export const logInWithPasskeyCall = route({
  method: "POST",
  path: "/login/passkey",
  summary: "Logs in with a passkey: sets the session cookie and returns the user",
  body: UsedPasskey,
  data: UserOnWire,
});
