import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { allCountries } from "country-region-data";
import { type CountryCode, getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/min";

export type NamedPlace = {
  readonly code: string;
  readonly name: string;
  readonly dialCode: string;
  readonly states: readonly (readonly [code: string, name: string])[];
};

const migrations = join(import.meta.dirname, "migrations");

/** Common names of countries for which the package has a formal, inverted or former name. */
const countryNames: Readonly<Record<string, string>> = {
  BN: "Brunei",
  BQ: "Caribbean Netherlands",
  CD: "Congo (Kinshasa)",
  CG: "Congo (Brazzaville)",
  CI: "Côte d’Ivoire",
  CZ: "Czechia",
  FK: "Falkland Islands",
  FM: "Micronesia",
  GM: "Gambia",
  IR: "Iran",
  KP: "North Korea",
  KR: "South Korea",
  MK: "North Macedonia",
  RU: "Russia",
  ST: "São Tomé and Príncipe",
  SX: "Sint Maarten",
  SY: "Syria",
  TF: "French Southern Territories",
  TR: "Türkiye",
  TZ: "Tanzania",
  VA: "Vatican City",
  VE: "Venezuela",
  VG: "British Virgin Islands",
  VI: "US Virgin Islands",
};

/** Territories without their own number plan use another country's. */
const borrowedPlans: Readonly<Record<string, CountryCode>> = {
  AQ: "NF",
  BV: "NO",
  GS: "FK",
  HM: "AU",
  PN: "NZ",
  TF: "RE",
  UM: "US",
};

/** Corrections of regions that the package misspells, truncates or should have dropped. */
const regionNames: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  AS: { "Ofu‑Olosega": ["Ofu-Olosega"] },
  EE: { "Saaremaa (Kuessaare)": ["Saaremaa (Kuressaare)"] },
  GB: {
    "Bristol, City of": ["Bristol"],
    "Durham, County": ["County Durham"],
    "Edinburgh, City of": ["Edinburgh"],
    "Vale of Glamorgan, The": ["Vale of Glamorgan"],
  },
  KE: { "Eleyo/Marakwet": ["Elgeyo-Marakwet"] },
  LB: { "Baalbelk-Hermel": ["Baalbek-Hermel"] },
  // The package writes the Sinhala names in Latin letters; in English, and on forms there, they are these.
  LK: {
    Basnahira: ["Western"],
    Dakunu: ["Southern"],
    Madhyama: ["Central"],
    Naegenahira: ["Eastern"],
    Uturu: ["Northern"],
    Uturumaeda: ["North Central"],
    Vayamba: ["North Western"],
  },
  NP: { "Province No. 1": ["Koshi Province"] },
  // The Tribal Areas became part of Khyber Pakhtunkhwa in 2018.
  PK: { "Khaibar Pakhtunkhwa": ["Khyber Pakhtunkhwa"], "Federally Administered Tribal Areas": [] },
  // Lines of the package's source were truncated and joined.
  PR: {
    Cat: ["Cataño", "Cayey"],
    Isabe: ["Isabela", "Jayuya"],
    "Las oiza": ["Las Piedras", "Loíza"],
    "Sabana linas": ["Sabana Grande", "Salinas"],
    "Vega ues": ["Vega Baja", "Vieques"],
  },
  PS: { "Ak Khalīl": ["Al Khalīl"] },
  SD: { "Shiamal Kurdufan": ["Shamal Kurdufan"] },
};

/** Every country with its dial code and states, by code: the packages' data, corrected. */
export function listPlaces(): NamedPlace[] {
  return allCountries
    .map(([name, code, regions]) => ({
      code,
      name: countryNames[code] ?? name,
      dialCode: findDialCode(code),
      states: listStates(code, regions),
    }))
    .sort(byCode);
}

const byCode = (one: { code: string }, other: { code: string }) => (one.code < other.code ? -1 : 1);

function findDialCode(code: string): string {
  const country = borrowedPlans[code] ?? code;
  if (!isSupportedCountry(country)) throw new Error(`${code} has no dial code: add it to database/places.ts.`);
  return getCountryCallingCode(country);
}

function listStates(country: string, regions: readonly (readonly [string, string | undefined])[]) {
  // The package gives a country without regions itself as its only one.
  if (regions.length === 1) return [];
  return regions
    .flatMap(([name, code]) => {
      const names = regionNames[country]?.[name] ?? [name];
      return names.map((corrected) => ({
        code: stateCode(country, code, corrected),
        name: corrected.normalize("NFC"),
      }));
    })
    .sort(byCode)
    .map(({ code, name }) => [code, name] as const);
}

/** The part of ISO 3166-2 after the country; for a region without one (the package says 'undefined'), its name. */
function stateCode(country: string, code: string | undefined, name: string): string {
  const given = code === undefined || code === "" || code === "undefined" ? undefined : code;
  if (given !== undefined) return given.toUpperCase().replace(`${country}-`, "");
  const letters = name.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase();
  return letters.replace(/[^A-Z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/** Corrections that updated packages no longer need, each as a sentence. */
export function listStaleCorrections(): string[] {
  const packaged = new Map(allCountries.map(([name, code, regions]) => [code as string, { name, regions }]));
  const countries = Object.entries(countryNames)
    .filter(([code, name]) => packaged.get(code)?.name === name)
    .map(([code]) => `The name of ${code} needs no correction.`);
  const plans = Object.keys(borrowedPlans)
    .filter((code) => isSupportedCountry(code))
    .map((code) => `${code} has a number plan of its own.`);
  const regions = Object.entries(regionNames).flatMap(([code, corrected]) =>
    Object.keys(corrected)
      .filter((wrong) => !packaged.get(code)?.regions.some(([name]) => name === wrong))
      .map((wrong) => `${code} has no region ${wrong}.`),
  );
  return [...countries, ...plans, ...regions];
}

const tables = `create table countries (
  id integer generated always as identity primary key,
  code text not null unique check (code ~ '^[A-Z]{2}$'),
  -- Deferred: an update may give one country the name that another had.
  name text not null unique deferrable initially deferred,
  dial_code text not null check (dial_code ~ '^[0-9]{1,7}$')
);

create table states (
  id integer generated always as identity primary key,
  country_id integer not null references countries on delete cascade,
  code text not null check (code ~ '^[A-Z0-9-]+$'),
  name text not null,
  unique (country_id, code),
  unique (country_id, name) deferrable initially deferred
);

`;

/** The statements that make the tables match `places`, whatever they had; ids stay with their codes. */
export function describeData(places: readonly NamedPlace[]): string {
  const lines = places.map((place) => JSON.stringify(place)).join(",\n");
  return `create temporary table source_places on commit drop as
select * from jsonb_to_recordset($places$[
${lines}
]$places$::jsonb) as source (code text, name text, "dialCode" text, states jsonb);

create temporary table source_states on commit drop as
select source.code as country, state ->> 0 as code, state ->> 1 as name
from source_places as source, jsonb_array_elements(source.states) as state;

delete from countries where code not in (select code from source_places);
delete from states using countries
where countries.id = states.country_id and (countries.code, states.code) not in (select country, code from source_states);

insert into countries (code, name, dial_code)
select code, name, "dialCode" from source_places order by code
on conflict (code) do update set name = excluded.name, dial_code = excluded.dial_code
where (countries.name, countries.dial_code) is distinct from (excluded.name, excluded.dial_code);

insert into states (country_id, code, name)
select countries.id, source.code, source.name
from source_states as source join countries on countries.code = source.country order by source.country, source.code
on conflict (country_id, code) do update set name = excluded.name
where states.name is distinct from excluded.name;
`;
}

/** The newest migration of places in a folder, as its name and text. */
export function findLatestPlaces(folder = migrations): { name: string; text: string } | undefined {
  const name = readdirSync(folder)
    .filter((file) => /^\d{4}_places\.sql$/.test(file))
    .sort()
    .at(-1);
  return name === undefined ? undefined : { name, text: readFileSync(join(folder, name), "utf8") };
}

/** Writes the next migration if the packages have something new; returns its path, or undefined. */
export function writePlaces(places: readonly NamedPlace[], folder = migrations): string | undefined {
  const latest = findLatestPlaces(folder);
  const data = describeData(places);
  if (latest?.text.endsWith(data)) return undefined;
  const last = readdirSync(folder)
    .filter((file) => /^\d{4}_.*\.sql$/.test(file))
    .sort()
    .at(-1);
  const number = String(Number(last?.slice(0, 4) ?? 0) + 1).padStart(4, "0");
  const file = join(folder, `${number}_places.sql`);
  const source = ["country-region-data", "libphonenumber-js"].map((name) => `${name} ${versionOf(name)}`).join(" and ");
  const head = `-- Countries, their dial codes and their states, written by \`npm run places\` from ${source}.\n\n`;
  writeFileSync(file, `${head}${latest === undefined ? tables : ""}${data}`);
  return file;
}

function versionOf(name: string): string {
  const path = join(import.meta.dirname, "..", "node_modules", name, "package.json");
  return (createRequire(import.meta.url)(path) as { version: string }).version;
}

if (import.meta.main) {
  const file = writePlaces(listPlaces());
  const path = file === undefined ? findLatestPlaces()!.name : relative(process.cwd(), file);
  console.log(file === undefined ? `Nothing new: ${path} says the same as the packages.` : `Wrote ${path}.`);
}
