import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import {
  describeData,
  findLatestPlaces,
  listPlaces,
  listStaleCorrections,
  type NamedPlace,
  writePlaces,
} from "./places.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

const packaged = listPlaces();

/** Runs the data part of a migration as migrate() does. */
async function apply(places: readonly NamedPlace[]) {
  const client = await db.pool.connect();
  try {
    await client.query("begin");
    await client.query(describeData(places));
    await client.query("commit");
  } finally {
    await client.query("rollback");
    client.release();
  }
}

const readPlaces = async () => {
  const { rows } = await db.pool.query<NamedPlace & { id: number; stateIds: Record<string, number> }>(
    `select countries.id, countries.code, countries.name, dial_code as "dialCode",
      coalesce(json_agg(json_build_array(states.code, states.name) order by states.code collate "C")
        filter (where states.id is not null), '[]') as states,
      coalesce(json_object_agg(states.code, states.id) filter (where states.id is not null), '{}') as "stateIds"
    from countries left join states on states.country_id = countries.id
    group by countries.id order by countries.code collate "C"`,
  );
  return rows;
};
const withoutIds = (rows: Awaited<ReturnType<typeof readPlaces>>): NamedPlace[] =>
  rows.map(({ code, name, dialCode, states }) => ({ code, name, dialCode, states }));

test("REL-5: the migrations add every country with its dial code and states", async () => {
  const places = withoutIds(await readPlaces());
  expect(places).toEqual(packaged);
  expect(places.length).toBeGreaterThan(245);
  expect(places.flatMap(({ states }) => states).length).toBeGreaterThan(3500);
});

test("REL-5: each name and dial code can be shown and dialled", () => {
  for (const { code, name, dialCode, states } of packaged) {
    expect(dialCode, code).toMatch(/^[1-9]\d{0,2}$/);
    for (const shown of [name, ...states.map(([, state]) => state)]) {
      expect(shown, code).toMatch(/^[^\s,;:/<>&"](?:[^\s<>&"]| (?! ))*$/u);
      expect(shown, code).not.toMatch(/undefined|, (?:Republic|Islamic|The|City|County)\b|^\p{Ll}| $/u);
    }
  }
});

test.each([
  ["AU", "Australia", "61", ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"]],
  ["PK", "Pakistan", "92", ["BA", "GB", "IS", "JK", "KP", "PB", "SD"]],
  ["KR", "South Korea", "82", undefined],
  ["TR", "Türkiye", "90", undefined],
  ["GI", "Gibraltar", "350", []],
  ["AQ", "Antarctica", "672", []],
])("REL-5: %s is %s, +%s", (code, name, dialCode, stateCodes) => {
  const place = packaged.find((one) => one.code === code)!;
  expect(place).toMatchObject({ name, dialCode });
  if (stateCodes !== undefined) expect(place.states.map(([state]) => state)).toEqual(stateCodes);
});

test("REL-5: Pakistan has its current regions, and truncated names are complete", () => {
  const namesOf = (code: string) => packaged.find((one) => one.code === code)!.states.map(([, name]) => name);
  expect(namesOf("PK").sort()).toEqual([
    "Azad Kashmir",
    "Balochistan",
    "Gilgit-Baltistan",
    "Islamabad",
    "Khyber Pakhtunkhwa",
    "Punjab",
    "Sindh",
  ]);
  expect(namesOf("PR")).toHaveLength(78);
});

test("REL-5: the newest migration of places matches the packages; otherwise run `npm run places`", () => {
  expect(findLatestPlaces()!.text.endsWith(describeData(packaged))).toBe(true);
  expect(listStaleCorrections()).toEqual([]);
});

test("REL-5: the generator writes nothing if nothing is new, and otherwise only data", () => {
  const folder = mkdtempSync(join(tmpdir(), "almoner-places-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = writePlaces(packaged, folder)!;
  expect(readFileSync(first, "utf8")).toContain("create table countries");
  rmSync(first);
  copyFileSync(join(import.meta.dirname, "migrations", findLatestPlaces()!.name), join(folder, "0002_places.sql"));
  expect(writePlaces(packaged, folder)).toBeUndefined();
  const changed = packaged.map((place) => (place.code === "TR" ? { ...place, name: "Turkey" } : place));
  expect(writePlaces(changed, folder)).toBe(join(folder, "0003_places.sql"));
  expect(readFileSync(join(folder, "0003_places.sql"), "utf8")).not.toContain("create table countries");
  expect(writePlaces(changed, folder)).toBeUndefined();
  expect(readdirSync(folder)).toHaveLength(2);
});

test("REL-5: an update keeps every id, renames, adds and removes, and can be undone by the next", async () => {
  const before = await readPlaces();
  const [congo, kinshasa] = ["CG", "CD"].map((code) => packaged.find((place) => place.code === code)!);
  const changed = packaged
    .filter(({ code }) => code !== "TV")
    .map((place): NamedPlace => {
      if (place.code === "CG") return { ...place, name: kinshasa!.name };
      if (place.code === "CD") return { ...place, name: congo!.name };
      if (place.code !== "AU") return place;
      return { ...place, dialCode: "6100", states: [...place.states.slice(1), ["JBT", "Jervis Bay"]] };
    });
  await apply(changed);
  const after = await readPlaces();
  expect(withoutIds(after)).toEqual(changed.map((place) => ({ ...place, states: [...place.states].sort() })));
  for (const { code, id, stateIds } of after) {
    const old = before.find((place) => place.code === code)!;
    expect(id).toBe(old.id);
    for (const [state, stateId] of Object.entries(old.stateIds)) {
      if (`${code} ${state}` !== "AU ACT") expect(stateIds[state], `${code} ${state}`).toBe(stateId);
    }
  }
  await apply(packaged);
  await apply(packaged);
  expect(withoutIds(await readPlaces())).toEqual(packaged);
});

test("REL-1: the states of one country are found by an index", async () => {
  await db.pool.query("analyze countries, states");
  const { rows } = await db.pool.query("explain select id, name from states where country_id = 14");
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("Index");
  expect(plan).not.toContain("Seq Scan");
});
