import { z } from "zod";

/** For each of our field names, the spelling the wire insists on. Unlisted fields keep ours. */
export type WireNames<Shape> = { readonly [Field in keyof Shape]?: string };

/** A codec between our object and the same object under the wire's field names; it only renames. */
export function onWire<Shape extends z.ZodRawShape, const Names extends WireNames<Shape>>(
  ours: z.ZodObject<Shape>,
  names: Names & Record<Exclude<keyof Names, keyof Shape>, never>,
) {
  const spelled = Object.entries(names) as [string, string][];
  const toWire = new Map(spelled);
  const toOurs = new Map(spelled.map(([our, wire]) => [wire, our]));
  const wire = z.object(respell(ours.shape, toWire) as Respelled<Shape, Names>);
  return z.codec(wire, z.custom<z.output<z.ZodObject<Shape>>>(), {
    decode: (value) => respell(value, toOurs) as never,
    encode: (value) => respell(value as object, toWire) as never,
  });
}

type Respelled<Shape, Names> = {
  [Field in keyof Shape as Field extends keyof Names
    ? Names[Field] extends string
      ? Names[Field]
      : Field
    : Field]: Shape[Field];
} extends infer Wire extends z.ZodRawShape
  ? Wire
  : never;

function respell(record: object, names: ReadonlyMap<string, string>) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [names.get(key) ?? key, value]));
}
