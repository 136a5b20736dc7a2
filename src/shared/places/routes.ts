import type { FastifyInstance } from "fastify";
import { accepted, refused } from "#shared/contract/envelope.ts";
import type { Database } from "#shared/database/connect.ts";
import { mount } from "#shared/http/mount.ts";
import { listCountriesCall, listStatesCall } from "./contract.ts";
import { listCountries, listStates } from "./store.ts";

export async function placeRoutes(app: FastifyInstance, { database }: { readonly database: Database }): Promise<void> {
  mount(app, listCountriesCall, async () => accepted(await listCountries(database)));

  mount(app, listStatesCall, async ({ params: { countryId } }) => {
    const states = await listStates(database, countryId);
    return states === undefined ? refused("not_found") : accepted(states);
  });
}
