// @vitest-environment jsdom
import { afterAll, beforeAll, expect, test } from "vitest";
import { Organisation } from "#shared/organisation.ts";
import type { PageReads } from "#shared/pages/page.ts";
import { placeReads } from "#shared/places/store.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { siteFrame } from "#test/pages/site-frame.ts";
import { dinner, offer } from "#test/pages/tickets.ts";
import settings from "../../organisation.json" with { type: "json" };
import { listPages, renderPage } from "./rendering/render.tsx";

const organisation = Organisation.parse(settings);
const site = siteFrame(organisation);
const user = {
  id: 7,
  email: "sana@example.com",
  firstName: "Sana",
  lastName: "Malik",
  country: "Pakistan",
  state: "Punjab",
  city: "",
  mobile: "923001234567",
  postcode: "54000",
  preferredContact: "SMS",
  emailVerifiedAt: null,
} as const;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

async function open(path: string): Promise<Document> {
  const services = {
    ...placeReads(db.database),
    captcha: { provider: "altcha" },
    findTicketedEvent: async () => ({ event: dinner, offer }),
    findIntroduction: async () => ({ lede: "", description: "" }),
  } as Partial<PageReads> as PageReads;
  const row = listPages().find((page) => page.path === path)!;
  const data = await row.load(services, { params: {} }, organisation, user as never);
  return new DOMParser().parseFromString(renderPage(row, path, data, site), "text/html");
}

/** The options of a control in the server's markup. */
async function optionsOf(path: string, control: string): Promise<string[]> {
  return [...(await open(path)).querySelectorAll(`#${control} option`)].map(({ textContent }) => textContent ?? "");
}

test("LOG-19: every country is in the page's list from the start", async () => {
  // The checkout renders its form in the browser, from data in the page.
  const checkout = (await open("/ticketsCheckout")).querySelector<HTMLElement>("[data-island]")?.dataset.props ?? "{}";
  for (const [path, countries] of [
    ["/register", await optionsOf("/register", "country")],
    ["/edit-profile", await optionsOf("/edit-profile", "country")],
    ["/ticketsCheckout", JSON.parse(checkout).countries as string[]],
  ] as const) {
    expect(countries.length, path).toBeGreaterThan(240);
    expect(countries, path).toEqual(expect.arrayContaining(["Australia", "Pakistan", "Zimbabwe"]));
  }
});

test("LOG-19: so are the states of the selected country", async () => {
  expect(await optionsOf("/register", "state")).toContain("Tasmania");
  expect(await optionsOf("/volunteer", "state")).toContain("Tasmania");
  expect(await optionsOf("/edit-profile", "state")).toContain("Sindh");
});
