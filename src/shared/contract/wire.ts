import { z } from "zod";

/** The wire's names of fields; unlisted fields keep ours. */
type WireNames<Shape> = { readonly [Field in keyof Shape]?: string };

/** A codec that only renames fields between our object and the wire. */
export function onWire<Shape extends z.ZodRawShape, const Names extends WireNames<Shape>>(
  ours: z.ZodObject<Shape>,
  names: Names & Record<Exclude<keyof Names, keyof Shape>, never>,
) {
  const spelled = Object.entries(names) as [string, string][];
  const toWire = new Map(spelled);
  const toOurs = new Map(spelled.map(([our, wire]) => [wire, our]));
  const wire = z.object(respell<Respelled<Shape, Names>>(ours.shape, toWire));
  return z.codec(wire, z.custom<z.output<z.ZodObject<Shape>>>(), {
    decode: (value) => respell<z.output<z.ZodObject<Shape>>>(value, toOurs),
    encode: (value) => respell<z.output<typeof wire>>(value as object, toWire),
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

/** Renames keys, which the compiler cannot follow. */
function respell<Respelled extends object>(record: object, names: ReadonlyMap<string, string>): Respelled {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [names.get(key) ?? key, value])) as Respelled;
}
