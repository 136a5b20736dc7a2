import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharp } from "#shared/images/sharp.ts";
import { applicationFields } from "#test/application-form.ts";
import { createVisitor, openTestSite, type TestSite, type Visitor } from "#test/site.ts";

let site: TestSite;
let photo: Buffer;
let signature: Buffer;
beforeAll(async () => {
  site = await openTestSite({ LIMITS_APPLICATIONS: "1000", LIMITS_APPLICATIONS_PER_EMAIL: "1000" });
  const plain = { width: 640, height: 480, channels: 3, background: "#2a6f77" } as const;
  photo = await sharp({ create: plain })
    .jpeg()
    .withExif({ IFD0: { Artist: "PLANTED" } })
    .toBuffer();
  signature = await sharp({ create: { ...plain, channels: 4, background: "#00000000" } })
    .png()
    .toBuffer();
});
afterAll(() => site.close());

type Files = Record<string, Buffer>;
type Sent = { changes?: Record<string, string | undefined>; files?: Files; captcha?: string };

async function apply(visitor: Visitor, { changes = {}, files, captcha }: Sent = {}) {
  const form = new FormData();
  const all = { ...applicationFields, captcha: captcha ?? (await visitor.solveCaptcha("volunteer")), ...changes };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) form.set(name, value);
  for (const [name, bytes] of Object.entries(files ?? { profile_image_link: photo, sign_image_link: signature })) {
    form.set(name, new Blob([new Uint8Array(bytes)]), "../../évil.php");
  }
  const body = new Response(form);
  const response = await site.app.inject({
    method: "POST",
    url: "/api/volunteer/create",
    headers: { ...visitor.identity, "content-type": body.headers.get("content-type") ?? "" },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return { ...response.json(), status: response.statusCode };
}

const count = async (table: string) => Number((await site.pool.query(`select count(*) as n from ${table}`)).rows[0].n);
const visit = () => createVisitor(site.app);

test("API-6, VOL-2, VOL-3, VOL-4, VOL-5: an application under the wire's names is stored unchanged, and answered in the envelope", async () => {
  const reply = await apply(await visit());
  expect(reply).toMatchObject({ status: 200, code: "200", message: "Volunteer created successfully" });
  const { rows } = await site.pool.query("select * from volunteer_applications where reference = $1", [
    reply.data.reference,
  ]);
  expect(rows[0]).toMatchObject({
    name: "آمنہ رضا",
    street: "12 Harbour Street",
    city: "",
    state: "New South Wales",
    country: "Australia",
    postcode: "2144",
    mobile: "0412 345 678",
    email: "amina@example.com",
    preferred_contact: "SMS",
    skills: "First aid",
    experience: "Two years at a kitchen",
    availability: "Weekend",
    interests: ["Events", "Fundraising"],
    emergency_name: "Bilal Raza",
    emergency_city: "Auburn",
    emergency_email: "bilal@example.com",
    emergency_preferred_contact: "SMS",
    stage: "received",
  });
});

test("VOL-11: the pictures are stored privately, re-encoded to nothing but pixels", async () => {
  const { data } = await apply(await visit());
  const { rows } = await site.pool.query(
    `select f.media_type, f.width, f.height, f.bytes from volunteer_applications a
       join private_files f on f.id in (a.photo_file_id, a.signature_file_id)
      where a.reference = $1 order by f.media_type`,
    [data.reference],
  );
  expect(rows.map(({ media_type, width, height }) => [media_type, width, height])).toEqual([
    ["image/jpeg", 640, 480],
    ["image/png", 640, 480],
  ]);
  expect(photo.includes("PLANTED")).toBe(true);
  expect(rows.some(({ bytes }) => bytes.includes("PLANTED"))).toBe(false);
});

test("REL-2: the applicant and the coordinator each get an email", async () => {
  await site.pool.query("delete from pgboss.job where name = 'emails'");
  await apply(await visit());
  const { rows } = await site.pool.query("select data->>'template' as template from pgboss.job where name = 'emails'");
  expect(rows.map(({ template }) => template).toSorted()).toEqual(["application-received", "new-application"]);
});

const required = {
  name: "Name is required",
  st_add: "Street Address is required",
  state: "State is required",
  postal: "Post Code is required",
  mobile: "Mobile Number is required",
  email: "Email is required",
  intrest: "Area of Interest is required",
  em_name: "Name is required",
  em_postal: "Post Code is required",
  em_city: "City is required",
  em_state: "State is required",
  em_mobile: "Mobile Number is required",
  em_email: "Email is required",
  em_preffered_contact: "Preferred Contact is required",
};

test.each([undefined, ""])(
  "VOL-7: each required field that is %j has an error with its label, and so do files",
  async (value) => {
    const changes = Object.fromEntries(Object.keys(required).map((name) => [name, value]));
    const reply = await apply(await visit(), { changes, files: {} });
    expect(reply.status).toBe(422);
    expect(reply.data).toEqual({
      ...Object.fromEntries(Object.entries(required).map(([name, text]) => [name, [text]])),
      profile_image_link: ["Please upload an image"],
      sign_image_link: ["Please upload an image"],
    });
  },
);

test("VOL-7: an invalid email has the specification's message", async () => {
  const reply = await apply(await visit(), { changes: { email: "amina@", em_email: "bilal" } });
  expect(reply.data).toEqual({ email: ["Invalid email format"], em_email: ["Invalid email format"] });
});

test("VOL-2, VOL-5: fields with defaults may be left out", async () => {
  const left = { country: undefined, em_country: undefined, pref_contact: undefined, availability: undefined };
  const { data } = await apply(await visit(), { changes: { ...left, skill: undefined, pr_exp: undefined } });
  const { rows } = await site.pool.query("select * from volunteer_applications where reference = $1", [data.reference]);
  expect(rows[0]).toMatchObject({
    country: "Australia",
    emergency_country: "Australia",
    preferred_contact: "Email",
    availability: "Availability",
    skills: "",
  });
});

test("REL-3: a repeated submission is the same application, one after another or twenty at once", async () => {
  const visitor = await visit();
  const before = await count("volunteer_applications");
  const key = randomUUID();
  const captcha = await visitor.solveCaptcha("volunteer");
  const replies = await Promise.all(Array.from({ length: 20 }, () => apply(visitor, { changes: { key }, captcha })));
  replies.push(await apply(visitor, { changes: { key }, captcha: "used" }));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(replies.map(({ data }) => data.reference)).size).toBe(1);
  expect(await count("volunteer_applications")).toBe(before + 1);
});

test("VOL-11: a refused submission leaves no row or picture, and its captcha may be used again", async () => {
  const visitor = await visit();
  const before = [await count("volunteer_applications"), await count("private_files"), await count("captcha_uses")];
  const captcha = await visitor.solveCaptcha("volunteer");
  const bad = { profile_image_link: Buffer.from("<svg onload=alert(1)>"), sign_image_link: Buffer.alloc(0) };
  for (let time = 0; time < 2; time += 1) {
    const reply = await apply(visitor, { files: bad, captcha });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.data).toSorted()).toEqual(["profile_image_link", "sign_image_link"]);
  }
  expect([await count("volunteer_applications"), await count("private_files"), await count("captcha_uses")]).toEqual(
    before,
  );
  expect((await apply(visitor, { captcha })).status).toBe(200);
});

test("API-12: without a captcha, or with one for another form, nothing is stored", async () => {
  const visitor = await visit();
  const before = await count("volunteer_applications");
  expect((await apply(visitor, { changes: { captcha: undefined } })).error).toBe("captcha_required");
  expect((await apply(visitor, { captcha: await visitor.solveCaptcha("contact") })).error).toBe("captcha_failed");
  expect((await apply(visitor, { changes: { website: "https://spam.example" } })).status).toBe(200);
  expect(await count("volunteer_applications")).toBe(before);
});

test("API-6: anything but a multipart form is 415, and one without a forgery token 403", async () => {
  const visitor = await visit();
  const json = await visitor.post("/api/volunteer/create", applicationFields);
  expect([json.code, json.error]).toEqual(["415", "wrong_type"]);
  const stranger = await site.app.inject({
    method: "POST",
    url: "/api/volunteer/create",
    headers: { "content-type": "multipart/form-data; boundary=x" },
    payload: "--x--",
  });
  expect(stranger.statusCode).toBe(403);
});

test("SEC-4: applications that strangers send under somebody's email make the captcha harder and refuse nobody", async () => {
  const few = await openTestSite();
  try {
    const apply = async (captcha?: number) => {
      places += 1;
      const visitor = await createVisitor(few.app, `198.51.100.${places}`);
      const form = new FormData();
      const solved = await visitor.solveCaptcha("volunteer", captcha);
      for (const [name, value] of Object.entries({ ...applicationFields, captcha: solved })) form.set(name, value);
      for (const name of ["profile_image_link", "sign_image_link"]) form.set(name, new Blob([new Uint8Array(photo)]));
      const body = new Response(form);
      const headers = { ...visitor.identity, "content-type": body.headers.get("content-type") ?? "" };
      const payload = Buffer.from(await body.arrayBuffer());
      return (await few.app.inject({ method: "POST", url: "/api/volunteer/create", headers, payload })).json();
    };
    let places = 0;
    for (let nth = 0; nth < 3; nth += 1) expect(await apply()).toMatchObject({ code: "200" });
    expect(await apply()).toMatchObject({ code: "403", error: "captcha_dearer", effort: 4 });
    expect(await apply(4)).toMatchObject({ code: "200" });
  } finally {
    await few.close();
  }
});
