import { afterAll, beforeAll, expect, test } from "vitest";
import { documentKey } from "#shared/links/document-links.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { wordsOf } from "#test/donation-pages.ts";
import { readPage } from "#test/read-page.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { applicantReads } from "../../server/applicant.ts";

let site: AdminSite;
let coordinator: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  coordinator = await site.logIn("coordinator");
});
afterAll(() => site.close());

const dayIn = (days: number) => new Date(site.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
const plan = (changes: Record<string, string> = {}) => ({
  title: "Street stall",
  place: "Auburn Road",
  notes: "Bring a hat.",
  event: "",
  repeat: "",
  day: dayIn(7),
  from: "09:00",
  until: "13:00",
  "wanted.Fundraising": "2",
  ...changes,
});

async function makeVolunteer(name: string) {
  const id = await makeApplication(site.database, {
    name,
    stage: "approved",
    roles: ["Fundraising"],
    decided_at: site.clock.now(),
  });
  const key = documentKey(site.services.config, { kind: "application", id }, site.clock.now());
  const visitor = await site.visitor();
  const post = (path: string, body: object = {}) =>
    visitor.post(`/api/volunteer/application/${id}/shifts/${path}`, { key, ...body });
  return { id, key, visitor, post };
}

test("VOLA-9: a weekly shift is planned in one form; what is wrong comes back beside its field with what was typed", async () => {
  const wrong = await coordinator.post(
    "/admin/volunteers/shifts/new",
    plan({ from: "9 o'clock", "wanted.Fundraising": "2" }),
  );
  expect(wrong.status).toBe(422);
  expect(wordsOf(wrong.html)).toContain("Enter a time such as 17:30");
  expect(readPage(wrong.html).querySelector<HTMLInputElement>('[name="title"]')!.value).toBe("Street stall");
  const nobody = await coordinator.post("/admin/volunteers/shifts/new", plan({ "wanted.Fundraising": "0" }));
  expect(wordsOf(nobody.html)).toContain("Enter how many people you need in at least one role.");
  for (const [changes, text] of [
    [{ until: "09:00" }, "Enter a later time"],
    [{ event: "987654" }, "Choose an event from the list"],
    [{ repeat: dayIn(6) }, "Enter a day after the first shift"],
    [{ repeat: dayIn(500) }, "Enter a day within a year of the first shift"],
    [{ day: dayIn(-2) }, "Enter today or a later day"],
    // The hour from 2 to 3 is left out on 3 October 2027.
    [{ day: "2027-09-26", repeat: "2027-10-10", from: "02:00", until: "03:00" }, "on 3 October 2027 clocks go forward"],
  ] as const) {
    const refused = await coordinator.post("/admin/volunteers/shifts/new", plan(changes));
    expect(refused.status, text).toBe(422);
    expect(wordsOf(refused.html)).toContain(text);
  }
  const planned = await coordinator.post("/admin/volunteers/shifts/new", plan({ title: "Weekly", repeat: dayIn(21) }));
  expect(planned).toMatchObject({ status: 303, to: "/admin/volunteers/shifts" });
  const { html } = await coordinator.get("/admin/volunteers/shifts");
  expect(wordsOf(html).split("Weekly")).toHaveLength(4);
  expect(wordsOf((await coordinator.get("/admin")).html)).toMatch(
    /within a week still needs? (people|people): .*Weekly on /,
  );
});

test("VOLA-9: every shift is in the list, in pages: the coming ones soonest first, the past ones latest first", async () => {
  await site.pool.query("truncate volunteer_shifts cascade");
  await site.pool.query(
    `insert into volunteer_shifts (id, title, starts_at, ends_at, last_day, created_at)
     select gen_random_uuid(), 'Shift ' || day, start, start + interval '2 hours', start::date, $1
       from (select day, $1::timestamptz + (day || ' days')::interval as start
               from (select generate_series(-60, 120) as day) days where day <> 0) starts`,
    [site.clock.now()],
  );
  const titlesOn = (html: string) => [...readPage(html).querySelectorAll("th .k")].map((link) => link.textContent);
  const first = await coordinator.get("/admin/volunteers/shifts");
  const listed = titlesOn(first.html);
  for (const name of ["ahead", "over"]) {
    let page = readPage(first.html);
    for (;;) {
      const next = page.querySelector(`a[rel=next][href*="${name}="]`)?.getAttribute("href");
      if (next === undefined) break;
      const { html } = await coordinator.get(next!);
      page = readPage(html);
      listed.push(...titlesOn(html));
      expect(page.querySelector("a[rel=prev]")?.getAttribute("href")).toBe("/admin/volunteers/shifts");
    }
  }
  const days = listed.map((title) => Number(title!.split(" ")[1]));
  expect(days.filter((day) => day > 0)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  expect(days.filter((day) => day < 0)).toEqual(Array.from({ length: 60 }, (_, index) => -index - 1));
});

test("VOLA-9: a shift that is still to come cannot be moved to a day that is over", async () => {
  const made = await coordinator.post("/admin/volunteers/shifts/new", plan());
  const moved = await coordinator.post(`${made.to}/change`, plan({ day: dayIn(-365), version: "1" }));
  expect(moved.status).toBe(422);
  expect(wordsOf(moved.html)).toContain("Enter today or a later day");
});

test("VOLA-11, VOLA-12: a volunteer signs up by the link, staff record the hours, and both open the certificate", async () => {
  const made = await coordinator.post("/admin/volunteers/shifts/new", plan({ title: "Once" }));
  const shift = made.to!.split("/").at(-1)!;
  const volunteer = await makeVolunteer("Amina Raza");
  const own = async () => (await applicantReads(site.services).findOwnApplication(volunteer.id, volunteer.key))!;
  expect((await own()).shifts.find(({ id }) => id === shift)).toMatchObject({ taken: null, roles: [{ free: 2 }] });
  expect(await volunteer.post(shift, { role: "Fundraising" })).toMatchObject({ code: "200" });
  expect((await own()).shifts.find(({ id }) => id === shift)).toMatchObject({ taken: "Fundraising" });
  expect(await volunteer.post(shift, { role: "Events" })).toMatchObject({ code: "409" });
  expect(await volunteer.post(`${shift}/leaving`)).toMatchObject({ code: "200" });
  expect(await volunteer.post(`${shift}/leaving`)).toMatchObject({
    code: "409",
    error: "no_place",
    message: "This shift has begun, or you have no place on it any more. Please reload the page.",
  });
  expect(await volunteer.post(shift, { role: "Fundraising" })).toMatchObject({ code: "200" });

  expect((await own()).pastShifts).toEqual([]);

  site.clock.advance(8 * 86_400_000);
  expect(await own()).toMatchObject({ pastShifts: [{ title: "Once", role: "Fundraising" }], hasHours: false });
  coordinator = await site.logIn("coordinator");
  const path = `/admin/volunteers/shifts/${shift}`;
  const form = readPage((await coordinator.get(path)).html).querySelector('form[action$="/hours"]')!;
  const field = form.querySelector<HTMLInputElement>("input.input")!;
  expect(field.value).toBe("4");
  // Whoever is late can be called.
  expect(form.textContent).toContain("Fundraising, 0412 345 678");
  expect((await coordinator.post(`${path}/hours`, { [field.name]: "many" })).status).toBe(422);
  expect((await coordinator.post(`${path}/hours`, { [field.name]: "3:30" })).status).toBe(303);
  expect(wordsOf((await coordinator.get(`/admin/volunteers/${volunteer.id}`)).html)).toContain("3.5 hours in shifts");
  expect(await own()).toMatchObject({ pastShifts: [], hasHours: true });
  const url = `/volunteer/application/${volunteer.id}/hours.pdf`;
  const mine = await volunteer.visitor.ask({ url: `${url}?key=${volunteer.key}` });
  expect(mine.headers["content-type"]).toBe("application/pdf");
  expect((await volunteer.visitor.ask({ url: `${url}?key=x` })).statusCode).toBe(404);
  expect((await coordinator.get(`/admin/volunteers/${volunteer.id}/hours.pdf`)).headers["content-type"]).toBe(
    "application/pdf",
  );
});

test("VOLA-12: of two who record the hours of a shift, the later is told what the other has recorded, and keeps what they typed", async () => {
  const made = await coordinator.post("/admin/volunteers/shifts/new", plan({ title: "Both" }));
  const shift = made.to!.split("/").at(-1)!;
  for (const name of ["Amina Raza", "Bilal Khan"]) {
    const volunteer = await makeVolunteer(name);
    expect(await volunteer.post(shift, { role: "Fundraising" })).toMatchObject({ code: "200" });
  }
  site.clock.advance(8 * 86_400_000);
  const [one, other] = [await site.logIn("coordinator"), await site.logIn("coordinator")];
  /** What a press of the form sends, in the order of the names. */
  const fill = (html: string, ...hours: string[]) => {
    const inputs = [...readPage(html).querySelectorAll<HTMLInputElement>('form[action$="/hours"] input')];
    const typed = [...hours];
    return Object.fromEntries(
      inputs.map(({ name, value }) => [name, name.startsWith("hours.") ? (typed.shift() ?? value) : value]),
    );
  };
  const { html } = await other.get(made.to!);
  expect((await one.post(`${made.to}/hours`, fill((await one.get(made.to!)).html, "3", "0"))).status).toBe(303);
  const late = await other.post(`${made.to}/hours`, fill(html, "3", "3:30"));
  expect(late.status).toBe(422);
  expect(wordsOf(late.html).split("Somebody else has entered")).toHaveLength(2);
  expect(wordsOf(late.html)).toContain("Somebody else has entered 0 in the meantime");
  const recorded = async () => {
    const { rows } = await site.pool.query(
      `select minutes from volunteer_shift_places place join volunteer_applications person on person.id = application_id
        where shift_id = $1 order by name`,
      [shift],
    );
    return rows.map(({ minutes }) => minutes);
  };
  expect(await recorded()).toEqual([180, 0]);
  const again = fill(late.html);
  expect(Object.values(again)).toContain("3:30");
  expect((await other.post(`${made.to}/hours`, again)).status).toBe(303);
  expect(await recorded()).toEqual([180, 210]);
});
