import { z } from "zod";
import { CommaList } from "#shared/contract/fields.ts";
import { Nothing, route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";
import { Change } from "./applicant.ts";
import { Application, IMAGE_REQUIRED, INTERESTS_OFFERED, interests as offered } from "./application.ts";

const { interests, emergencyPreferredContact, ...sameOnWire } = Application.shape;

/** `Sms` of the emergency contact is the wire's spelling of `SMS` (VOL-5). */
const EmergencyContactWay = z.preprocess((way) => (way === "Sms" ? "SMS" : way), emergencyPreferredContact);

/** What is wrong with one of them is said of the field, which is one text. */
const OfferedInterests = z.array(z.string()).refine((chosen) => {
  const known: readonly string[] = offered;
  return chosen.every((one) => known.includes(one));
}, INTERESTS_OFFERED);

/** The names of an application's fields on the wire; every value there is a text of a multipart form. */
export const wireField = {
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

/** The two files of the form, by what we call them. */
export const wireFile = { photo: "profile_image_link", signature: "sign_image_link" } as const;

/** The specification sends 'Not required' for a city that nobody is asked for (VOL-2). */
export const NO_CITY = "Not required";

/** The texts of the form as it goes out, under their names on the wire. */
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

/** What we call the field or file that the wire calls `name`. */
export function nameOffWire(name: string): string {
  const named = Object.entries({ ...wireField, ...wireFile }).find(([, wire]) => wire === name);
  return named?.[0] ?? name;
}

/**
 * What arrives: every value is a text. A left-out field of the form's own choices takes its default; an empty one is missing.
 */
export const SentApplication = onWire(
  z.object({
    ...sameOnWire,
    interests: CommaList.prefault("").pipe(OfferedInterests).pipe(interests),
    emergencyPreferredContact: EmergencyContactWay,
    /** Names this one sending, so that a copy of it makes no second application. */
    key: z.uuid().optional(),
    captcha: z.string().max(4096).optional(),
    /** A field that people do not see: programs that fill in everything give themselves away. */
    website: z.string().max(1000).default(""),
  }),
  wireField,
);
export type SentApplication = z.output<typeof SentApplication>;

/** JPEG, PNG or WebP of at most 10 MB each (VOL-11). */
export const applyCall = route({
  method: "POST",
  path: "/volunteer/create",
  summary: "Applies to volunteer; the same key again is the same application",
  body: SentApplication,
  files: { [wireFile.photo]: IMAGE_REQUIRED, [wireFile.signature]: IMAGE_REQUIRED },
  data: z.object({ reference: z.string() }),
});

/** Behind whose link one came: what stands after `key=` in it. */
const Key = z.string("Open the page by the link of our letter").max(100);
const OneApplication = z.object({ id: z.uuid() });

/** The applicant corrects a detail: what is left out stays as it is. */
export const changeApplicationCall = route({
  method: "POST",
  path: "/volunteer/application/{id}",
  isPrivate: true,
  summary: "Corrects one's own application, by the key of its link",
  params: OneApplication,
  body: Change.extend({ key: Key }),
  data: Nothing,
});

/** Photo and signature are deleted with it. Asked for again it answers the same. */
export const withdrawApplicationCall = route({
  method: "POST",
  path: "/volunteer/application/{id}/withdrawal",
  isPrivate: true,
  summary: "Withdraws one's own application, by the key of its link",
  params: OneApplication,
  body: z.object({ key: Key }),
  data: Nothing,
});
