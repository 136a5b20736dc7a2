/** The rows of a list that were ticked: in the address, each has a name of its own, because a query has each name once. */
const NAME = /^chosen-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Says that only ticked rows are meant, even if there are none. */
export const ONLY_CHOSEN = { name: "only", value: "chosen" } as const;

export const chosenName = (id: string) => `chosen-${id}`;

/** The ids of the ticked rows. */
export function readChosen(query: Readonly<Record<string, string>>): string[] {
  return Object.keys(query).flatMap((name) => NAME.exec(name)?.[1] ?? []);
}
