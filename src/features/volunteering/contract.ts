import { z } from "zod";
import { CommaList } from "#shared/contract/fields.ts";
import { Nothing, route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";
import { Change } from "./applicant.ts";
import {
  Application,
  IMAGE_REQUIRED,
  INTERESTS_OFFERED,
  labels,
  interests as offered,
  required,
} from "./application.ts";

const { interests, emergencyPreferredContact, ...sameOnWire } = Application.shape;

/** `Sms` of the emergency contact is the wire's spelling of `SMS` (VOL-5), which is accepted too. */
const EmergencyContactWay = z.codec(
  z.enum(["Email", "Sms", "SMS"], required(labels.emergencyPreferredContact)),
  emergencyPreferredContact,
  { decode: (way) => (way === "Email" ? way : "SMS"), encode: (way) => (way === "Email" ? way : "Sms") },
);

/** An unknown interest is reported on the whole field, which is a single text. */
const OfferedInterests = z.array(z.string()).refine((chosen) => {
  const known: readonly string[] = offered;
  return chosen.every((one) => known.includes(one));
}, INTERESTS_OFFERED);

/** The fields' names on the wire, where every value is the text of a multipart form. */
const wireField = {
  street: "st_add",
  postcode: "postal",
  preferredContact: "pref_contact",
  skills: "skill",
  experience: "pr_exp",
  interests: "intrest",
  emergencyName: "em_name",
  emergencyPostcode: "em_postal",
  emergencyCity: "em_city",
  emergencyState: "em_state",
  emergencyCountry: "em_country",
  emergencyMobile: "em_mobile",
  emergencyEmail: "em_email",
  emergencyPreferredContact: "em_preffered_contact",
} as const;

/** The two files of the form, by our own names. */
export const wireFile = { photo: "profile_image_link", signature: "sign_image_link" } as const;

/** The specification sends 'Not required' for the city, which the form does not ask for (VOL-2). */
const NO_CITY = "Not required";

/** The form's texts as sent, under their names on the wire. */
export function textsOnWire(application: Application): [name: string, text: string][] {
  const names: Readonly<Record<string, string>> = wireField;
  const texts = {
    ...application,
    city: NO_CITY,
    interests: application.interests.join(","),
    emergencyPreferredContact: application.emergencyPreferredContact === "SMS" ? "Sms" : "Email",
  };
  return Object.entries(texts).map(([name, text]) => [names[name] ?? name, text]);
}

/** Our name of a field or file on the wire; names that are the same on both stay. */
export function nameOffWire(name: string): string {
  const named = Object.entries({ ...wireField, ...wireFile }).find(([, wire]) => wire === name);
  return named?.[0] ?? name;
}

/** The form as received, all texts. A choice that is left out takes its default; an empty one is missing. */
export const SentApplication = onWire(
  z.object({
    ...sameOnWire,
    interests: CommaList.prefault("").pipe(OfferedInterests).pipe(interests),
    emergencyPreferredContact: EmergencyContactWay,
    /** Identifies this submission, so that a copy of it does not create a second application. */
    key: z.uuid().optional(),
    captcha: z.string().max(4096).optional(),
    /** A honeypot: people do not see this field, but bots fill it in. */
    website: z.string().max(1000).default(""),
  }),
  wireField,
);
export type SentApplication = z.output<typeof SentApplication>;

/** JPEG, PNG or WebP of at most 10 MB each (VOL-11). */
export const applyCall = route({
  method: "POST",
  path: "/volunteer/create",
  summary: "Applies to volunteer; a repeated key returns the same application",
  body: SentApplication,
  files: { [wireFile.photo]: IMAGE_REQUIRED, [wireFile.signature]: IMAGE_REQUIRED },
  data: z.object({ reference: z.string() }),
});

const Key = z.string("Open the page with the link in our email").max(100);
const OneApplication = z.object({ id: z.uuid() });

/** Corrects details; fields that are left out stay as they are. */
export const changeApplicationCall = route({
  method: "POST",
  path: "/volunteer/application/{id}",
  isPrivate: true,
  summary: "Corrects an application, by the key in its link",
  params: OneApplication,
  body: Change.extend({ key: Key }),
  data: Nothing,
});

const OneShift = z.object({ id: z.uuid(), shift: z.uuid() });

export const takeShiftCall = route({
  method: "POST",
  path: "/volunteer/application/{id}/shifts/{shift}",
  isPrivate: true,
  summary: "Signs a volunteer up for a shift, by the key in the link to their application; again changes nothing",
  params: OneShift,
  body: z.object({ key: Key, role: z.string().max(100) }),
  data: Nothing,
});

export const leaveShiftCall = route({
  method: "POST",
  path: "/volunteer/application/{id}/shifts/{shift}/leaving",
  isPrivate: true,
  summary: "Gives up a volunteer’s place in a shift, by the key in the link to their application",
  params: OneShift,
  body: z.object({ key: Key }),
  data: Nothing,
});

/** Deletes photo and signature. A repeated request gets the same answer. */
export const withdrawApplicationCall = route({
  method: "POST",
  path: "/volunteer/application/{id}/withdrawal",
  isPrivate: true,
  summary: "Withdraws an application, by the key in its link",
  params: OneApplication,
  body: z.object({ key: Key }),
  data: Nothing,
});
