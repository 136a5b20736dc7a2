import type { Connection } from "#shared/database/connect.ts";
import { compareNames } from "#shared/language.ts";
import type { Country, PlaceReads, State } from "./contract.ts";

/** Sorted here, because a database's collations depend on how it was built. */
const byName = (one: { name: string }, other: { name: string }) => compareNames(one.name, other.name);

export async function listCountries(connection: Connection): Promise<Country[]> {
  const countries = await connection.selectFrom("countries").select(["id", "name", "dial_code as dialCode"]).execute();
  return countries.sort(byName);
}

/** The states by name; empty if the country has none, undefined if there is no such country. */
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

/** By its exact English name, with its dialling code. */
export async function findCountryByName(connection: Connection, name: string): Promise<Country | undefined> {
  return connection
    .selectFrom("countries")
    .select(["id", "name", "dial_code as dialCode"])
    .where("name", "=", name)
    .executeTakeFirst();
}
