import { z } from "zod";
import { messages } from "#shared/contract/messages.ts";
import { plainPhoneNumber } from "#shared/contract/phone-number.ts";
import { plainLine, plainText } from "#shared/contract/plain-line.ts";
import { Postcode } from "#shared/contract/postcode.ts";

// The rules of an application to volunteer (VOL-2 to VOL-7), checked by the page at each step and by the server. The
// messages are the specification's: '<label> is required', 'Invalid email format'.

/** The form's choices in order (VOL-3). The server's list is `volunteer_roles`, which starts with the same ones. */
export const interests = [
  "Administration",
  "Events",
  "Field Work",
  "Fundraising",
  "Newsletter Production",
  "Volunteer Coordination",
] as const;

export const labels = {
  name: "Name",
  street: "Street Address",
  state: "State",
  country: "Country",
  postcode: "Post Code",
  mobile: "Mobile Number",
  email: "Email",
  preferredContact: "Preferred Contact",
  skills: "Skills",
  experience: "Previous Experience",
  availability: "Availability",
  interests: "Area of Interest",
  emergencyName: "Name",
  emergencyPostcode: "Post Code",
  emergencyCity: "City",
  emergencyState: "State",
  emergencyCountry: "Country",
  emergencyMobile: "Mobile Number",
  emergencyEmail: "Email",
  emergencyPreferredContact: "Preferred Contact",
  photo: "Photo",
  signature: "Signature",
} as const;

/** How people are available: what the form's two choices mean (VOL-3). */
export const availabilityWords = { Availability: "Any day", Weekend: "Weekends" } as const;

/** The maximum length of a long text in characters, not UTF-16 units. */
export const MAX_CHARACTERS = 3000;
export const IMAGE_REQUIRED = "Please upload an image";
export const INTERESTS_OFFERED = "Choose your interests from the list";
export const SENT = "Volunteer created successfully";
export const NOT_SENT = "Error creating volunteer";

export const required = (label: string) => `${label} is required`;
/** Aborts, so that an empty field shows no further errors. */
const given = (label: string) => ({ error: required(label), abort: true });
const line = (label: string, maxLength = 200) =>
  z
    .string(required(label))
    .trim()
    .min(1, given(label))
    .max(maxLength, messages.atMost(maxLength))
    .regex(plainLine, messages.notPlain);
const email = z
  .string(required(labels.email))
  .trim()
  .min(1, given(labels.email))
  .max(254, messages.emailTooLong)
  .pipe(z.email("Invalid email format"));
const mobile = z
  .string(required(labels.mobile))
  .overwrite(plainPhoneNumber)
  .min(1, given(labels.mobile))
  .refine((typed) => /^[+\d ().-]{6,30}$/.test(typed) && /^\d{6,14}$/.test(typed.replace(/\D/g, "")), messages.mobile);
const longText = z
  .string()
  .overwrite(plainText)
  .refine((text) => [...text].length <= MAX_CHARACTERS, `Please shorten this to at most 3,000 characters`)
  .default("");

export const PersonalDetails = z.object({
  name: line(labels.name),
  street: line(labels.street),
  state: line(labels.state, 100),
  country: line(labels.country, 100).default("Australia"),
  postcode: Postcode,
  mobile,
  email,
  preferredContact: z.enum(["Email", "SMS"], "Choose how we should contact you").default("Email"),
});

export const SkillsStep = z.object({
  skills: longText,
  experience: longText,
  availability: z.enum(["Availability", "Weekend"], "Choose when you are available").default("Availability"),
  interests: z
    .array(z.enum(interests, INTERESTS_OFFERED), required(labels.interests))
    .min(1, required(labels.interests))
    .overwrite((chosen) => interests.filter((interest) => chosen.includes(interest))),
});

export const EmergencyStep = z.object({
  emergencyName: line(labels.emergencyName),
  emergencyPostcode: Postcode,
  emergencyCity: line(labels.emergencyCity, 100),
  emergencyState: line(labels.emergencyState, 100),
  emergencyCountry: line(labels.emergencyCountry, 100).default("Australia"),
  emergencyMobile: mobile,
  emergencyEmail: email,
  emergencyPreferredContact: z.enum(["Email", "SMS"], required(labels.emergencyPreferredContact)),
});

/** Everything but the two pictures, the captcha and the request's key. */
export const Application = z.object({ ...PersonalDetails.shape, ...SkillsStep.shape, ...EmergencyStep.shape });
export type Application = z.output<typeof Application>;
