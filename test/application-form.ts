/** An application to volunteer, under the specification's field names (VOL-2 to VOL-6). */
export const applicationFields: Readonly<Record<string, string>> = {
  name: "آمنہ رضا",
  st_add: "12 Harbour Street",
  city: "Not required",
  state: "New South Wales",
  country: "Australia",
  postal: "2144",
  mobile: "0412 345 678",
  email: "amina@example.com",
  pref_contact: "SMS",
  skill: "First aid",
  pr_exp: "Two years at a kitchen",
  availability: "Weekend",
  intrest: "Fundraising,Events",
  em_name: "Bilal Raza",
  em_postal: "2144",
  em_city: "Auburn",
  em_state: "New South Wales",
  em_country: "Australia",
  em_mobile: "0498765432",
  em_email: "bilal@example.com",
  em_preffered_contact: "Sms",
};

export const PHOTO = "profile_image_link";
export const SIGNATURE = "sign_image_link";
export const APPLY = "/api/volunteer/create";

/** A PNG. */
export const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);

/** One part of a multipart body, with its raw headers. */
export type FormPart = { readonly heads: readonly string[]; readonly body: string | Buffer };

export const textPart = (name: string, body: string): FormPart => ({
  heads: [`Content-Disposition: form-data; name="${name}"`],
  body,
});

export const textParts = (fields: Readonly<Record<string, string>>): FormPart[] =>
  Object.entries(fields).map(([name, value]) => textPart(name, value));

/** A file part whose name is not escaped. */
export const filePart = (
  name: string,
  body: Buffer | string,
  filename = "photo.jpg",
  type = "image/jpeg",
): FormPart => ({
  heads: [`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, `Content-Type: ${type}`],
  body,
});

export const BOUNDARY = "----almoner7d1f";
export const formType = `multipart/form-data; boundary=${BOUNDARY}`;

/** The bytes of a form, written by hand so that it can hold anything; `hasEnd` adds the final boundary. */
export function writeForm(parts: readonly FormPart[], { hasEnd = true } = {}): Buffer {
  const pieces = parts.flatMap(({ heads, body }) => [
    Buffer.from(`--${BOUNDARY}\r\n${heads.join("\r\n")}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...pieces, Buffer.from(hasEnd ? `--${BOUNDARY}--\r\n` : "")]);
}
