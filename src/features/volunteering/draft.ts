import { z } from "zod";
import type { Application } from "./application.ts";

export const DRAFT_KEY = "volunteer-draft";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** An unchecked application as typed: texts, and a list of interests. */
export type Typed = { [Name in keyof Application]: Name extends "interests" ? string[] : string };
export type ApplicationField = keyof Typed;

/** The empty form with its defaults (VOL-2, VOL-3, VOL-5). */
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
export const draftFields = Object.keys(untouched) as ApplicationField[];

/** Longer than any answer may be, so that a text that is too long is kept and can be shortened. */
const Text = z.string().max(50_000);
/** A field may be missing: the form may have got it after the draft was kept. */
const TypedTexts = z.object(
  Object.fromEntries(draftFields.map((name) => [name, (name === "interests" ? z.array(Text) : Text).optional()])),
);

/**
 * The draft kept on this device for 7 days, until the application is sent. `sent` is the key under which exactly these
 * words were last sent, in case the answer was lost. Pictures are not kept.
 */
const ApplicationDraft = z.object({
  version: z.literal(1),
  savedAt: z.number(),
  typed: z
    .custom<Partial<Typed>>((typed) => TypedTexts.safeParse(typed).success)
    .transform((typed): Typed => ({ ...untouched, ...typed })),
  sent: z.object({ key: z.uuid(), words: z.string() }).optional(),
});
export type ApplicationDraft = z.output<typeof ApplicationDraft>;
export type KeepableApplication = Pick<ApplicationDraft, "typed"> & { readonly sent: ApplicationDraft["sent"] };

/** `now` in milliseconds since 1970. */
export function writeDraft({ typed, sent }: KeepableApplication, now: number): string {
  return JSON.stringify({ version: 1, savedAt: now, typed, sent } satisfies Record<keyof ApplicationDraft, unknown>);
}

/** Undefined if the draft is absent, damaged, of another version or more than a week old. */
export function readDraft(text: string | null, now: number): ApplicationDraft | undefined {
  const draft = ApplicationDraft.safeParse(parseJson(text)).data;
  return draft === undefined || Math.abs(now - draft.savedAt) > WEEK_MS ? undefined : draft;
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
