import { z } from "zod";
import { route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { NewPasskey, PasskeyOptions, UsedPasskey } from "#shared/passkeys/contract.ts";
import {
  City,
  CountryName,
  Email,
  FirstName,
  GivenPassword,
  LastName,
  newPassword,
  PasskeyName,
  Postcode,
  PreferredContact,
  StateName,
  sentences,
} from "./person.ts";

/** A user id as the wire may carry it: a number or its digits. */
const UserId = z.codec(z.union([z.int(), z.string().regex(/^\d{1,15}$/)]), z.int().min(0), {
  decode: (id) => Number(id),
  encode: (id) => id,
});

/** Dial code and number joined, with or without a + in front; digits alone inside. */
const sayMobile = "Enter a mobile number of digits, the country's dial code first";
const Mobile = z
  .string(sayMobile)
  .trim()
  .regex(/^\+?\d{6,20}$/, sayMobile);

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

/** The names that the server says what is wrong under, where it finds out by itself. */
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

/** What the server finds wrong with an account's form, by our names of its fields. */
export function byOwnNames(fields: FieldErrors): FieldErrors {
  const spelled = Object.entries({ ...wireNames, ...changeNames }).map(([our, wire]) => [wire, our] as const);
  const own = new Map<string, string>([...spelled, [resetNames.confirmPassword, "confirmPassword"]]);
  return Object.fromEntries(Object.entries(fields).map(([name, says]) => [own.get(name) ?? name, says]));
}

/** Asked for once there were many tries under one email: `captcha_dearer` says so. */
const Captcha = z.string().max(4096).optional();

export const logInCall = route({
  method: "POST",
  path: "/login",
  summary: "Logs in: sets the session's cookie and answers the user; 401 when address or password is wrong",
  body: z.object({ email: Email, password: GivenPassword, captcha: Captcha }),
  data: UserOnWire,
  successCode: "number",
});

export const findUserCall = route({
  method: "POST",
  path: "/user",
  needsSession: true,
  summary: "One's own details",
  body: onWire(z.object({ id: UserId }), { id: "user_id" }),
  data: UserOnWire,
});

const Details = {
  firstName: FirstName,
  lastName: LastName,
  postcode: Postcode,
  mobile: Mobile,
  country: CountryName,
  state: StateName,
  preferredContact: PreferredContact,
};

const Registration = z.object({
  ...Details,
  email: Email,
  // The specification sends 'Not required'; kept as what it is, nothing.
  city: City.default(""),
  password: newPassword(sentences.registerPassword),
  captcha: z.string().max(4096).optional(),
});
export type Registration = z.output<typeof Registration>;
const { id: _, ...detailNames } = wireNames;

export const registerCall = route({
  method: "POST",
  path: "/user/create",
  summary: "Makes an account and logs in; 422 with the field email when the address has one",
  body: onWire(Registration, detailNames),
  data: UserOnWire,
});

const Update = z.object({ id: UserId, ...Details, city: City.default("") });
export type Update = z.output<typeof Update>;

export const updateUserCall = route({
  method: "POST",
  path: "/updateUser",
  needsSession: true,
  summary: "Changes one's own details; another's id is refused with 403",
  body: onWire(Update, wireNames),
  data: UserOnWire,
});

export const changePasswordCall = route({
  method: "POST",
  path: "/changePassword",
  needsSession: true,
  summary: "Changes one's own password and ends every other session",
  body: onWire(
    z.object({
      id: UserId,
      oldPassword: z.string(sentences.oldRequired).min(1, sentences.oldRequired).max(128),
      newPassword: newPassword(sentences.newShort),
      confirmPassword: z.string(sentences.confirmRequired).min(1, sentences.confirmRequired).max(128),
    }),
    { id: "user_id", ...changeNames },
  ),
  data: z.object({}),
});

export const sendResetCodeCall = route({
  method: "POST",
  path: "/password/email",
  summary: "Sends a code to set a new password with; answers alike whether or not the address has an account",
  body: z.object({ email: Email, captcha: Captcha }),
  data: z.object({}),
});

export const resetPasswordCall = route({
  method: "POST",
  path: "/password/reset",
  summary: "Sets a new password by a code and ends every session; one answer for every wrong code",
  body: onWire(
    z.object({
      email: Email,
      password: newPassword(sentences.resetPassword),
      confirmPassword: z.string(sentences.resetConfirm).min(1, sentences.resetConfirm).max(128),
      code: z.string(sentences.codeRequired).trim().min(1, sentences.codeRequired).max(20),
      captcha: Captcha,
    }),
    resetNames,
  ),
  data: z.object({}),
});

export const logOutCall = route({
  method: "POST",
  path: "/logout",
  summary: "Ends this session, here and on the server",
  data: z.object({}),
});

/** Times are ISO 8601. */
export const listSessionsCall = route({
  method: "GET",
  path: "/sessions",
  needsSession: true,
  summary: "Where one is logged in, the latest visit first",
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
  summary: "Logs out everywhere but here",
  data: z.object({ ended: z.int() }),
});

export const sendVerificationCall = route({
  method: "POST",
  path: "/email-verification/send",
  needsSession: true,
  summary: "Sends the letter whose link shows that the address is one's own",
  data: z.object({}),
});

export const verifyEmailCall = route({
  method: "POST",
  path: "/email-verification",
  needsSession: true,
  summary:
    "Takes the key of that link, in the session of the account it was sent for; gifts made as a guest then join it",
  body: z.object({ key: z.string().max(200) }),
  data: z.object({ joinedGifts: z.int() }),
});

export const closeAccountCall = route({
  method: "POST",
  path: "/close-account",
  needsSession: true,
  summary: "Closes one's own account; donations stay on the books, without it",
  body: z.object({ password: GivenPassword }),
  data: z.object({}),
});

/** For the hint of LOG-13. Says nothing about whether the number is in use. */
export const checkMobileCall = route({
  method: "POST",
  path: "/mobile-check",
  summary: "Whether a mobile number is likely to be one of that country; nothing depends on it",
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
  /** Refused for good, because a copy of it may exist. */
  isBlocked: z.boolean(),
});
export type Passkey = z.output<typeof Passkey>;

export const listPasskeysCall = route({
  method: "GET",
  path: "/passkeys",
  needsSession: true,
  summary: "One's own passkeys, the oldest first",
  data: z.array(Passkey),
});

export const beginPasskeyCall = route({
  method: "POST",
  path: "/passkeys/options",
  needsSession: true,
  summary:
    "What the browser makes a passkey from, for five minutes; asks for the password unless the log-in is less than ten minutes old",
  body: z.object({ password: GivenPassword.optional() }),
  data: PasskeyOptions,
});

export const addPasskeyCall = route({
  method: "POST",
  path: "/passkeys/add",
  needsSession: true,
  summary: "Adds the passkey that the browser has made; an email says so",
  body: NewPasskey,
  data: Passkey,
});

export const renamePasskeyCall = route({
  method: "POST",
  path: "/passkeys/rename",
  needsSession: true,
  summary: "Gives one of one's own passkeys another name",
  body: z.object({ id: z.uuid(), name: PasskeyName }),
  data: z.object({}),
});

export const removePasskeyCall = route({
  method: "POST",
  path: "/passkeys/remove",
  needsSession: true,
  summary: "Removes one of one's own passkeys; an email says so",
  body: z.object({ id: z.uuid() }),
  data: z.object({ credentialId: z.string() }),
});

export const beginPasskeyLoginCall = route({
  method: "GET",
  path: "/login/passkey/options",
  summary: "What the browser uses a passkey with, for five minutes; the same whoever asks",
  data: PasskeyOptions,
});

export const logInWithPasskeyCall = route({
  method: "POST",
  path: "/login/passkey",
  summary: "Logs in with a passkey: sets the session's cookie and answers the user",
  body: UsedPasskey,
  data: UserOnWire,
});
