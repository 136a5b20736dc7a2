import { afterAll, beforeAll, expect, test } from "vitest";
import { MADE_PASSWORD, makeUser } from "#database/factories.ts";
import { openTestSite, type TestSite } from "../site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

test("PAGE-9: the privacy policy names every cookie that the server sets", async () => {
  const { email } = await makeUser(site.database);
  const visitor = await site.visitor();
  await visitor.post("/api/login", { email, password: MADE_PASSWORD });
  const { html } = await site.database
    .selectFrom("pages")
    .select("html")
    .where("type", "=", "privacy")
    .executeTakeFirstOrThrow();
  expect([...visitor.cookies.keys()].sort()).toEqual(["XSRF-TOKEN", "browser", "device", "session", "user"]);
  for (const cookie of visitor.cookies.keys()) expect(html).toContain(`<th scope="row">${cookie}</th>`);
});
