import { z } from "zod";
import { route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";

/** `dialCode` has digits only: '61'. */
export const Country = z.object({ id: z.int(), name: z.string(), dialCode: z.string() });
export type Country = z.output<typeof Country>;

export const State = z.object({ id: z.int(), name: z.string() });
export type State = z.output<typeof State>;

/** The places that a form has at first: all countries, and the states of its default one. */
export type KnownPlaces = {
  readonly countries: readonly Country[];
  /** A country's name. */
  readonly statesOf: string;
  readonly states: readonly State[];
};

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
  summary: "The states of a country, by name; empty if it has none",
  params: onWire(z.object({ countryId: Id }), { countryId: "country" }),
  data: z.array(State),
});
