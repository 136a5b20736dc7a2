import { z } from "zod";
import { route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";

/** `dialCode` has digits only: '61'. */
export const Country = z.object({ id: z.int(), name: z.string(), dialCode: z.string() });
export type Country = z.output<typeof Country>;

export const State = z.object({ id: z.int(), name: z.string() });
export type State = z.output<typeof State>;

/** What a form has from the start: every country, and the states of the one that is chosen in it. */
export type KnownPlaces = {
  readonly countries: readonly Country[];
  /** A country's name. */
  readonly statesOf: string;
  readonly states: readonly State[];
};

/** What pages read of places. */
export type PlaceReads = { findPlaces(country: string): Promise<KnownPlaces> };

const Id = z.codec(z.string().regex(/^\d{1,9}$/), z.int(), { decode: Number, encode: String });

export const listCountriesCall = route({
  method: "GET",
  path: "/countries",
  summary: "Every country with its dial code, by name",
  data: z.array(onWire(Country, { dialCode: "code" })),
});

export const listStatesCall = route({
  method: "GET",
  path: "/state/{country}",
  summary: "The states of a country, by name; none where a country is not divided",
  params: onWire(z.object({ countryId: Id }), { countryId: "country" }),
  data: z.array(State),
});
