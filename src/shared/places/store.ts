import type { Connection } from "#shared/database/connect.ts";
import type { Country, PlaceReads, State } from "./contract.ts";

/** Sorts here: whether a database knows a language's order depends on how it was built. */
const inEnglish = new Intl.Collator("en");
const byName = (one: { name: string }, other: { name: string }) => inEnglish.compare(one.name, other.name);

/** Every country, by name. */
export async function listCountries(connection: Connection): Promise<Country[]> {
  const countries = await connection.selectFrom("countries").select(["id", "name", "dial_code as dialCode"]).execute();
  return countries.sort(byName);
}

/** The states of a country, by name; none where it is not divided, undefined where there is no such country. */
export async function listStates(connection: Connection, countryId: number): Promise<State[] | undefined> {
  const states = await connection
    .selectFrom("states")
    .select(["id", "name"])
    .where("country_id", "=", countryId)
    .execute();
  if (states.length > 0) return states.sort(byName);
  const country = await connection.selectFrom("countries").select("id").where("id", "=", countryId).executeTakeFirst();
  return country === undefined ? undefined : [];
}

/** What pages read of places, from this database. */
export function placeReads(connection: Connection): PlaceReads {
  return {
    async findPlaces(country) {
      const countries = await listCountries(connection);
      const id = countries.find(({ name }) => name === country)?.id;
      const states = id === undefined ? [] : ((await listStates(connection, id)) ?? []);
      return { countries, statesOf: country, states };
    },
  };
}

export async function findCountryByName(connection: Connection, name: string): Promise<Country | undefined> {
  return connection
    .selectFrom("countries")
    .select(["id", "name", "dial_code as dialCode"])
    .where("name", "=", name)
    .executeTakeFirst();
}
