import { z } from "zod";
import { plainLine } from "#shared/contract/plain-line.ts";

// What an application to volunteer must hold (VOL-2 to VOL-7): checked by the page at each step, and by the server
// whatever comes. The sentences are the specification's: '<label> is required', 'Invalid email format'.

/** The choices of the form, in its order (VOL-3). The server's own list is `volunteer_roles`, which begins as these. */
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

/** The most characters of a long text, as people count them. */
export const MOST_CHARACTERS = 3000;
export const IMAGE_REQUIRED = "Please upload an image";
export const INTERESTS_OFFERED = "Choose your interests from the list";
export const SENT = "Volunteer created successfully";
export const NOT_SENT = "Error creating volunteer";

const required = (label: string) => `${label} is required`;
/** Said alone: nobody needs to hear what else an empty field is not. */
const given = (label: string) => ({ error: required(label), abort: true });
const line = (label: string, most = 200) =>
  z
    .string(required(label))
    .trim()
    .min(1, given(label))
    .max(most, `Enter a ${label.toLowerCase()} of at most ${most} characters`)
    .regex(plainLine, `Enter a ${label.toLowerCase()} without control characters`);
const email = z
  .string(required(labels.email))
  .trim()
  .min(1, given(labels.email))
  .max(254, "Enter an email of at most 254 characters")
  .pipe(z.email("Invalid email format"));
const mobile = z
  .string(required(labels.mobile))
  .trim()
  .min(1, given(labels.mobile))
  .refine(
    (typed) => /^[+\d\s().-]{6,30}$/.test(typed) && /^\d{6,14}$/.test(typed.replace(/\D/g, "")),
    "Enter a mobile number of 6 to 14 digits",
  );
const postcode = z
  .string(required(labels.postcode))
  .trim()
  .min(1, given(labels.postcode))
  .regex(/^[A-Za-z0-9 -]{1,12}$/, "Enter a post code of at most 12 letters, digits, spaces or hyphens");
const longText = z
  .string()
  .overwrite((text) =>
    text
      .replace(/\r\n?/g, "\n")
      .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, "")
      .trim(),
  )
  .refine((text) => [...text].length <= MOST_CHARACTERS, `Please shorten this to at most 3,000 characters`)
  .default("");

export const PersonalStep = z.object({
  name: line(labels.name),
  street: line(labels.street),
  state: line(labels.state, 100),
  country: line(labels.country, 100).default("Australia"),
  postcode,
  mobile,
  email,
  preferredContact: z.enum(["Email", "SMS"], "Choose how we may reach you").default("Email"),
});

export const SkillsStep = z.object({
  skills: longText,
  experience: longText,
  availability: z.enum(["Availability", "Weekend"], "Choose when you have time").default("Availability"),
  interests: z
    .array(z.enum(interests, INTERESTS_OFFERED), required(labels.interests))
    .min(1, required(labels.interests))
    .overwrite((chosen) => interests.filter((interest) => chosen.includes(interest))),
});

export const EmergencyStep = z.object({
  emergencyName: line(labels.emergencyName),
  emergencyPostcode: postcode,
  emergencyCity: line(labels.emergencyCity, 100),
  emergencyState: line(labels.emergencyState, 100),
  emergencyCountry: line(labels.emergencyCountry, 100).default("Australia"),
  emergencyMobile: mobile,
  emergencyEmail: email,
  emergencyPreferredContact: z.enum(["Email", "SMS"], required(labels.emergencyPreferredContact)),
});

/** Everything but the two pictures, the captcha and the sending's own key. */
export const Application = z.object({ ...PersonalStep.shape, ...SkillsStep.shape, ...EmergencyStep.shape });
export type Application = z.output<typeof Application>;
