import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "#shared/contract/call.ts";
import { createVisitor, openTestSite, type TestSite } from "#test/site.ts";
import { listCountriesCall, listStatesCall } from "./contract.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

const read = async (url: string) => (await site.app.inject(url)).json();

test("API-2: GET /api/countries returns id, name and dial code of each country in the envelope, by name", async () => {
  const { data, ...envelope } = await read("/api/countries");
  expect(envelope).toEqual({ code: "200", status: "true", message: "" });
  for (const country of data) expect(Object.keys(country).sort()).toEqual(["code", "id", "name"]);
  expect(data).toContainEqual({ id: expect.any(Number), name: "Australia", code: "61" });
  const names: string[] = data.map(({ name }: { name: string }) => name);
  expect(names.slice(0, 3)).toEqual(["Afghanistan", "Åland Islands", "Albania"]);
  expect(names.at(-1)).toBe("Zimbabwe");
});

test("API-2: GET /api/state/{country id} returns id and name of each state in the envelope, by name", async () => {
  const countries: { id: number; name: string }[] = (await read("/api/countries")).data;
  const australia = countries.find(({ name }) => name === "Australia")!;
  const { data, ...envelope } = await read(`/api/state/${australia.id}`);
  expect(envelope).toEqual({ code: "200", status: "true", message: "" });
  for (const state of data) expect(Object.keys(state).sort()).toEqual(["id", "name"]);
  expect(data.map(({ name }: { name: string }) => name)).toEqual([
    "Australian Capital Territory",
    "New South Wales",
    "Northern Territory",
    "Queensland",
    "South Australia",
    "Tasmania",
    "Victoria",
    "Western Australia",
  ]);
});

test("API-2: a country without states has an empty list", async () => {
  const countries: { id: number; name: string }[] = (await read("/api/countries")).data;
  const gibraltar = countries.find(({ name }) => name === "Gibraltar")!;
  expect(await read(`/api/state/${gibraltar.id}`)).toMatchObject({ status: "true", data: [] });
});

test.each(["999999", "0", "-1", "1.5", "AU", "9999999999", "1e2", "%00", "1%20or%201=1"])(
  "API-2: the states of the invalid country %s are not found",
  async (id) => {
    expect(await read(`/api/state/${id}`)).toMatchObject({ code: "404", status: "false", error: "not_found" });
  },
);

test("API-2: a page reads both lists through the contract, under our names", async () => {
  const { send } = await createVisitor(site.app);
  const countries = await call(send, listCountriesCall);
  const pakistan = countries.ok && countries.data.find(({ name }) => name === "Pakistan");
  expect(pakistan).toMatchObject({ name: "Pakistan", dialCode: "92" });
  const states = await call(send, listStatesCall, { params: { countryId: pakistan ? pakistan.id : 0 } });
  expect(states.ok && states.data.map(({ name }) => name)).toEqual([
    "Azad Kashmir",
    "Balochistan",
    "Gilgit-Baltistan",
    "Islamabad",
    "Khyber Pakhtunkhwa",
    "Punjab",
    "Sindh",
  ]);
});
