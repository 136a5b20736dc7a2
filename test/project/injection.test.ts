import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { longTest } from "#test/long-test.ts";
import {
  APPLY,
  applicationFields,
  filePart,
  formType,
  onePixel,
  PHOTO,
  SIGNATURE,
  textParts,
  writeForm,
} from "../application-form.ts";
import { isLongRun } from "../long-run.ts";
import { readPage } from "../read-page.ts";
import { type Visitor, wirePayPalPayment } from "../site.ts";
import { anyMark, corpus, fewOfEach } from "./injection-corpus.ts";
import {
  countFields,
  expectCleanLog,
  expectKept,
  fault,
  faults,
  inAll,
  openPatientSite,
  sendHostile,
  show,
  skeletonOf,
  type TypedFields,
  visitorOf,
} from "./injection-forms.ts";
import type { WholeSite } from "./whole-site.ts";

let site: WholeSite;
beforeAll(async () => {
  site = await openPatientSite();
});
afterAll(() => site.close());

/** A country without a list of states accepts any text. */
const UNDIVIDED = "Antarctica";

const details = (changes: TypedFields) => ({
  first_name: "Amina",
  last_name: "Raza",
  postal_code: "2144",
  mobile: "61400000000",
  prefered_contact: "SMS",
  country: UNDIVIDED,
  state: UNDIVIDED,
  city: "Karachi",
  ...changes,
});
const detailFields = [
  "first_name",
  "last_name",
  "postal_code",
  "mobile",
  "prefered_contact",
  "country",
  "state",
  "city",
];
/** The columns of the fields; the password has none. */
const columnOf = (field: string) => {
  const renamed: Record<string, string> = { postal_code: "postcode", prefered_contact: "preferred_contact" };
  return field === "password" ? undefined : (renamed[field] ?? field);
};

async function registerHostile(
  n: number,
  text: string,
): Promise<{ visitor: Visitor; taken: TypedFields; sent: TypedFields }> {
  const visitor = await visitorOf(site, n);
  const sent: TypedFields = {};
  const fields = { ...inAll(detailFields, text), email: `${text}@example.com`, password: `${text}12345678` };
  const taken = await sendHostile(fields, async (left) => {
    const right: TypedFields = { email: `amina-${randomUUID()}@example.com`, password: "correct horse battery" };
    Object.assign(sent, right, details(left), left);
    return visitor.post("/api/user/create", { ...sent, captcha: await visitor.solveCaptcha("register") });
  });
  return { visitor, taken, sent };
}

const userBy = async (email: string) =>
  (await site.pool.query("select * from users where email = $1", [email.trim()])).rows[0] ?? {};

longTest(
  "S4: hostile texts in every field of a registration are refused by name or kept unchanged, and the password works",
  async () => {
    const count = countFields();
    for (const { n, text } of fewOfEach) {
      const { visitor, taken, sent } = await registerHostile(n, text);
      count.add(taken);
      const user = await userBy(sent.email!);
      expectKept(user, taken, columnOf);
      const again = await visitor.post("/api/login", { email: sent.email, password: sent.password });
      if (again.code !== 200) fault(`the password ${show(sent.password)} was taken, but does not open: ${again.code}`);
    }
    expect(faults.splice(0)).toEqual([]);
    count.expectOpen({ first_name: 15, last_name: 15, state: 15, city: 15, password: 20, email: 3 });
    count.expectClosed(["prefered_contact", "country", "mobile"]);
  },
);

test("S4: hostile texts in every field of the profile are refused by name or kept unchanged, and pages show them as text", async () => {
  const { visitor, sent } = await registerHostile(251, "Bilal");
  const { id } = await userBy(sent.email!);
  const readPages = async () => {
    const urls = ["/profile", "/edit-profile"];
    return (await Promise.all(urls.map((url) => visitor.ask({ url })))).map(({ body }) => readPage(body));
  };
  const skeletons = (await readPages()).map(skeletonOf);
  const count = countFields();
  for (const attack of isLongRun ? corpus : fewOfEach) {
    const { text } = attack;
    const taken = await sendHostile(inAll(detailFields, text), (left) =>
      visitor.post("/api/updateUser", { user_id: id, ...details(left) }),
    );
    count.add(taken);
    const user = await userBy(sent.email!);
    expectKept(user, taken, columnOf);
    const { data } = await visitor.post("/api/user", { user_id: id });
    for (const field of detailFields)
      if (field in taken && data[field] !== text.trim()) fault(`${field} is told otherwise`);
    if (attack.kind !== "markup" && !fewOfEach.includes(attack)) continue;
    const pages = await readPages();
    for (const [index, page] of pages.entries()) {
      if (skeletonOf(page) !== skeletons[index]) fault(`${show(text)} changes the markup of page ${index}`);
      if (page.documentElement.outerHTML.includes("\ufffd"))
        fault(`${show(text)} is cut in a character on page ${index}`);
    }
    const name = `${user.first_name} ${user.last_name}`;
    if (!pages[0]!.querySelector("main")?.textContent?.includes(name)) fault(`the profile does not show ${show(name)}`);
    const values = [...pages[1]!.querySelectorAll("input")].map(({ value }) => value);
    for (const value of [user.first_name, user.last_name, user.city]) {
      if (!values.includes(value)) fault(`the form does not hold ${show(value)}`);
    }
    const answer = await visitor.post("/api/updateUser", { ...details({}), user_id: `${id}${text}` });
    if (answer.code !== "422" || !("user_id" in answer.data)) fault(`an id followed by ${show(text)}: ${answer.code}`);
  }
  expect(faults.splice(0)).toEqual([]);
  const [most, few] = isLongRun ? [30, 5] : [15, 2];
  count.expectOpen({ first_name: most, last_name: most, state: most, city: most, postal_code: few });
  count.expectClosed(["prefered_contact", "country", "mobile"]);
});

/** The columns of an application's fields; the tests of its rules show which invisible characters a long text loses. */
const applicationColumn = (field: string, text: string) => {
  const renamed: Record<string, string> = {
    st_add: "street",
    postal: "postcode",
    skill: "skills",
    pr_exp: "experience",
  };
  const isCleaned = (field === "skill" || field === "pr_exp") && /\p{Cc}/u.test(text);
  return isCleaned ? undefined : (renamed[field] ?? field.replace(/^em_/, "emergency_").replace(/postal$/, "postcode"));
};

longTest(
  "S4: hostile texts in every field of an application to volunteer are refused by name or kept unchanged",
  async () => {
    const { city: _, email: _own, em_email: _other, ...usual } = applicationFields;
    const pictures = [PHOTO, SIGNATURE].map((name) => filePart(name, onePixel, "../zq999.php"));
    const count = countFields();
    for (const { n, text: typed } of fewOfEach) {
      const visitor = await visitorOf(site, n);
      const text = typed.toWellFormed();
      const captcha = await visitor.solveCaptcha("volunteer");
      let reference = "";
      const taken = await sendHostile(
        { ...inAll(Object.keys(usual), text), email: `${text}@example.com` },
        async (left) => {
          const payload = writeForm([...textParts({ ...applicationFields, captcha, ...left }), ...pictures]);
          const answer = await visitor.ask({
            method: "POST",
            url: APPLY,
            headers: { "content-type": formType },
            payload,
          });
          reference = answer.json().data?.reference;
          return answer.json();
        },
      );
      count.add(taken);
      const { rows } = await site.pool.query("select * from volunteer_applications where reference = $1", [reference]);
      expectKept(rows[0] ?? {}, taken, (field) => applicationColumn(field, text));
    }
    expect(faults.splice(0)).toEqual([]);
    count.expectOpen({ name: 15, st_add: 15, state: 10, skill: 20, pr_exp: 20, em_name: 15, em_city: 10, email: 1 });
    count.expectClosed(["pref_contact", "availability", "intrest", "em_preffered_contact", "mobile", "em_mobile"]);
  },
);

longTest(
  "S4, API-11: hostile texts to calls that store none of them are refused, and never break anything",
  async () => {
    const member = await registerHostile(254, "Chand");
    const { id } = await userBy(member.sent.email!);
    const password = member.sent.password!;
    const post = async (visitor: Visitor, path: string, body: object, codes: readonly number[]) => {
      const answer = await visitor.post(path, body);
      const code = Number(answer.code);
      if (!codes.includes(code))
        fault(`${code} ${answer.error} from ${path} for ${JSON.stringify(body).slice(0, 120)}`);
      if (anyMark.test(JSON.stringify(answer))) fault(`${path} repeats what was sent: ${JSON.stringify(answer)}`);
    };
    for (const { n, text } of fewOfEach) {
      // A quarter of an hour apart, so that no limit is reached.
      site.clock.advance(16 * 60_000);
      const [guest, own] = [await visitorOf(site, n), member.visitor];
      const email = `${text}@example.com`;
      await post(guest, "/api/login", { email, password: `${text}87654321` }, [401, 422]);
      await post(guest, "/api/password/email", { email }, [200, 422]);
      await post(
        guest,
        "/api/password/reset",
        { email: member.sent.email, code: text, password, password_confirmation: password },
        [422],
      );
      await post(
        guest,
        "/api/password/reset",
        { email, code: "1", password: `${text}12345678`, password_confirmation: `${text}12345678` },
        [422],
      );
      await post(guest, "/api/mobile-check", { country: text, mobile: "61400000000" }, [200, 422]);
      await post(guest, "/api/mobile-check", { country: "Australia", mobile: text }, [422]);
      await post(guest, "/api/general-pages", { type: text }, [422]);
      await post(
        guest,
        "/api/user/create",
        { ...details({}), email: "new@example.com", password, captcha: text },
        [403],
      );
      await post(
        guest,
        "/api/contact",
        { name: text, email: "new@example.com", message: text, key: text, captcha: text },
        [422],
      );
      const donation = wirePayPalPayment(text, undefined, { payload: { text }, donorName: text });
      await post(guest, "/api/payment", donation, [422]);
      await post(guest, "/api/payway-3ds", { id: text, abandoned: text }, [422]);
      const change = {
        user_id: id,
        old_password: text,
        new_password: `${text}12345678`,
        confirm_password: `${text}12345678`,
      };
      await post(own, "/api/changePassword", change, [422]);
      await post(own, "/api/close-account", { password: `${text}12345678` }, [422]);
      await post(own, "/api/email-verification", { key: text }, [403, 422]);
      const query = encodeURIComponent(text.toWellFormed());
      await post(own, `/api/donation-summary?type=${query}`, {}, [200, 422]);
      await post(
        own,
        `/api/donation-summary?startDate=${query}&endDate=${query}&after=${query}&limit=${query}`,
        {},
        [422],
      );
      await post(own, `/api/donation-summary-pdf?startDate=${query}&endDate=${query}`, {}, [422]);
      await post(own, `/api/donation-summary?email=${query}`, {}, [403, 422]);
    }
    expect(faults.splice(0)).toEqual([]);
  },
);

test("S4, API-11: hostile texts in addresses and headers never break anything, and device names are shown as text", async () => {
  const member = await registerHostile(255, "Dara");
  const own = member.visitor;
  const { email, password } = member.sent;
  for (const { n, text } of isLongRun ? corpus : fewOfEach) {
    const query = encodeURIComponent(text.toWellFormed());
    const addresses = [
      `/events/${query}`,
      `/news/${query}`,
      `/${query}-world`,
      `/sharing/${query}.png`,
      `/images/${query}/${query}`,
      `/receipts/${query}?key=${query}`,
      `/donation-summaries/${query}/${query}/${query}?key=${query}&until=${query}`,
      `/donation-history/receipt/${query}`,
      `/donation-history/summary?startDate=${query}&endDate=${query}`,
      `/donation-history?startDate=${query}&endDate=${query}&after=${query}&before=${query}`,
      `/profile?x=${query}`,
      `/events?after=${query}`,
      `/login?return=${query}`,
      `/verify-email?key=${query}`,
      `/dev/mail?to=${query}`,
      `/api/state/${query}`,
      `/api/payments/${query}`,
      `/api/single-donation-pdf/${query}`,
      `/api/captcha?action=${query}`,
      `/api/webhooks/braintree?bt_challenge=${query}`,
      `/api/generateToken?x=${query}`,
      `/api/event?after=${query}&limit=${query}`,
      `/api/gallery?after=${query}`,
      `/api/${query}-world`,
      `/${query}`,
    ];
    for (const url of addresses) {
      const { statusCode, headers, body } = await own.ask({ url });
      if (statusCode >= 500) fault(`${statusCode} from ${url}`);
      if (/[\p{Cc}]/u.test(String(headers.location ?? ""))) fault(`${url} breaks the header Location`);
      if (/^text\/html/.test(String(headers["content-type"])) && /[<>"']/.test(text) && body.includes(text))
        fault(`${url} repeats what was sent`);
    }
    const device = text.toWellFormed();
    const headers = {
      "user-agent": device,
      "idempotency-key": device,
      "accept-encoding": device,
      "if-none-match": device,
    };
    const logIn = JSON.stringify({ email, password });
    const guest = await visitorOf(site, n);
    const type = { "content-type": "application/json" };
    const answer = await guest.ask({
      method: "POST",
      url: "/api/login",
      payload: logIn,
      headers: { ...headers, ...type },
    });
    if (answer.statusCode !== 200) fault(`${answer.statusCode} with the headers ${show(device)}`);
    const { data } = (await guest.ask({ url: "/api/sessions" })).json();
    if (!data.some((one: { device: string }) => one.device === device.replace(/\p{Cc}/gu, "").slice(0, 300))) {
      fault(`the device ${show(device)} is told otherwise`);
    }
    const forged = await guest.ask({
      method: "POST",
      url: "/api/logout",
      payload: "{}",
      headers: { ...type, cookie: `session=${query}`, "x-xsrf-token": device },
    });
    if (forged.statusCode !== 403) fault(`${forged.statusCode} for a forged token`);
  }
  expect(faults.splice(0)).toEqual([]);
});

test("REL-4, S4: every event is one line of the log, without control characters or typed text", () =>
  expectCleanLog(site));

test("S4: negative control: the checks fail for injected markup, a failure, a changed value and a log that repeats input", async () => {
  const plain = skeletonOf(readPage("<p title='Amina'>Amina</p>"));
  const raw = corpus.filter(({ text }) => skeletonOf(readPage(`<p title='${text}'>${text}</p>`)) !== plain);
  expect(raw.length).toBeGreaterThan(5);
  await sendHostile({ name: "x" }, async () => ({ code: "500", error: "unexpected" }));
  await sendHostile({ name: "x" }, async () => ({ code: "422", error: "invalid_input", data: { other: [] } }));
  expectKept({ name: "&lt;b&gt;" }, { name: "<b>" }, (field) => field);
  expect(faults.splice(0)).toHaveLength(3);
  const lines = Array.from({ length: 200 }, () => '{"msg":"fine"}\n');
  expectCleanLog({ lines });
  for (const line of ['{"msg":"a\\nb"}\n{"msg":"forged"}\n', `{"msg":"${corpus[0]!.text}"}\n`, "{}\u2028\n"]) {
    expect(() => expectCleanLog({ lines: [...lines, line] }), line).toThrow();
  }
});
