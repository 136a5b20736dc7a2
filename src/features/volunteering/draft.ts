import { z } from "zod";
import type { Application } from "./application.ts";

/** The key in local storage. */
export const DRAFT_KEY = "volunteer-draft";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** An application as it is typed: nothing checked, every answer a text and the interests a list of them. */
export type Typed = { [Name in keyof Application]: Name extends "interests" ? string[] : string };
export type FieldName = keyof Typed;

/** The form before anybody has touched it, with its defaults (VOL-2, VOL-3, VOL-5). */
export const untouched: Typed = {
  name: "",
  street: "",
  state: "",
  country: "Australia",
  postcode: "",
  mobile: "",
  email: "",
  preferredContact: "Email",
  skills: "",
  experience: "",
  availability: "Availability",
  interests: [],
  emergencyName: "",
  emergencyPostcode: "",
  emergencyCity: "",
  emergencyState: "",
  emergencyCountry: "Australia",
  emergencyMobile: "",
  emergencyEmail: "",
  emergencyPreferredContact: "",
};
export const fieldNames = Object.keys(untouched) as FieldName[];

/** Longer than any answer may be, so that one that is too long is kept and can be shortened. */
const Text = z.string().max(50_000);
const shape = fieldNames.map((name) => [name, name === "interests" ? z.array(Text) : Text]);

/**
 * What this device keeps of an application until it is sent, for 7 days: what was typed, and the key under which exactly
 * these words were last sent, should the answer have been lost. Pictures have no place in it.
 */
const Draft = z.object({
  version: z.literal(1),
  savedAt: z.number(),
  typed: z.object(Object.fromEntries(shape)) as unknown as z.ZodType<Typed>,
  sent: z.object({ key: z.uuid(), words: z.string() }).optional(),
});
export type Draft = z.output<typeof Draft>;
export type Keepable = Pick<Draft, "typed"> & { readonly sent: Draft["sent"] };

export function writeDraft({ typed, sent }: Keepable, now: number): string {
  return JSON.stringify({ version: 1, savedAt: now, typed, sent } satisfies Record<keyof Draft, unknown>);
}

/** The draft in `text`, or nothing when it is absent, damaged, of another version or a week old. */
export function readDraft(text: string | null, now: number): Draft | undefined {
  const draft = Draft.safeParse(parseJson(text)).data;
  return draft === undefined || Math.abs(now - draft.savedAt) > WEEK_MS ? undefined : draft;
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
