/** An application to volunteer as the specification names its fields (VOL-2 to VOL-6). */
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

/** One part of a multipart body, its heads as they go over the line. */
export type Part = { readonly heads: readonly string[]; readonly body: string | Buffer };

export const textPart = (name: string, body: string): Part => ({
  heads: [`Content-Disposition: form-data; name="${name}"`],
  body,
});

export const textParts = (fields: Readonly<Record<string, string>>): Part[] =>
  Object.entries(fields).map(([name, value]) => textPart(name, value));

/** A file under a name that nothing has been made harmless in. */
export const filePart = (name: string, body: Buffer | string, filename = "photo.jpg", type = "image/jpeg"): Part => ({
  heads: [`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, `Content-Type: ${type}`],
  body,
});

export const BOUNDARY = "----almoner7d1f";
export const formType = `multipart/form-data; boundary=${BOUNDARY}`;

/** The bytes of a form, written by hand so that anything may stand in it; `hasEnd` is the last boundary. */
export function writeForm(parts: readonly Part[], { hasEnd = true } = {}): Buffer {
  const pieces = parts.flatMap(({ heads, body }) => [
    Buffer.from(`--${BOUNDARY}\r\n${heads.join("\r\n")}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...pieces, Buffer.from(hasEnd ? `--${BOUNDARY}--\r\n` : "")]);
}
