import { afterAll, beforeAll, expect, test } from "vitest";
import type { HitGroup } from "#admin/search.ts";
import { makeAttempt, makeDonation } from "#database/factories.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite();
});
afterAll(() => site.close());

test("FIND-1: donors and donations are found by name, email and reference, without the names of anonymous donors", async () => {
  const hamida = { first_name: "Hamida", last_name: "Qadir", email: "hamida@example.org" };
  const id = await makeDonation(site.database, { donation: { ...hamida, reference: "D-7KQ2-M9XW-4TBC" } });
  await makeAttempt(site.database, id, { state: "succeeded" });
  const hidden = await makeDonation(site.database, { donation: { ...hamida, is_anonymous: true } });
  const auditor = await site.logIn("auditor");
  const find = async (text: string): Promise<HitGroup[]> =>
    JSON.parse((await auditor.get(`/admin/find.json?${new URLSearchParams({ q: text })}`)).html);

  for (const text of ["hamid", "QADIR", "hamida@example.org"]) {
    const groups = await find(text);
    expect(groups.map(({ title }) => title)).toEqual(["Donors", "Donations"]);
    expect(groups[0]!.hits).toEqual([
      { label: "Hamida Qadir", detail: "hamida@example.org", path: `/admin/people/${id}` },
    ]);
    const paths = groups[1]!.hits.map(({ path }) => path);
    expect(paths.sort()).toEqual([`/admin/donations/${id}`, `/admin/donations/${hidden}`].sort());
  }
  const anonymous = (await find("qadir"))[1]!.hits.find(({ path }) => path.endsWith(hidden))!;
  expect(anonymous.label).toBe("$106.58, given anonymously");
  await site.database
    .updateTable("donations")
    .set({ first_name: "", last_name: "", email: "" })
    .where("id", "=", id)
    .execute();
  const erased = (await find("D-7KQ2-M9XW-4TBC")).find(({ title }) => title === "Donations")!;
  expect(erased.hits.map(({ label }) => label)).toEqual(["$106.58, donor erased"]);
  expect((await find("D-7KQ2-M9XW-4TBC")).flatMap(({ hits }) => hits.map(({ path }) => path))).toEqual([
    `/admin/donations/${id}`,
  ]);
  expect(await find("")).toEqual([expect.objectContaining({ title: "Go to" })]);
});
