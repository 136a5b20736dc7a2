import { z } from "zod";

/** Characters in a field: an article’s text has up to 100,000. */
const MAX_FIELD_LENGTH = 120_000;

/** A form that is kept in the page while the person logs in, or proves who they are. */
const CarriedForm = z.object({
  path: z.string().max(300).startsWith("/admin/"),
  values: z.record(z.string().max(60), z.array(z.string().max(MAX_FIELD_LENGTH)).max(200)),
});
export type CarriedForm = z.output<typeof CarriedForm>;

/**
 * The form as text for a hidden field, without passwords. In base64, because escaping a long text for HTML takes seconds.
 * Whatever comes back in it, the form is only shown again, never sent.
 */
export function writeCarried({ path, values }: CarriedForm): string {
  const kept = Object.entries(values).filter(([name]) => !/password/i.test(name));
  return Buffer.from(JSON.stringify({ path, values: Object.fromEntries(kept) })).toString("base64url");
}

/** Null if the text was not written by `writeCarried`. */
export function readCarried(text: string): CarriedForm | null {
  try {
    return CarriedForm.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    return null;
  }
}

/** Whether the text may be a carried form, without reading it. */
export const isCarried = (text: string | undefined): text is string => text !== undefined && /^[\w-]+$/.test(text);
