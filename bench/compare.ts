import { median } from "./processes.ts";

export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/**
 * The medians of what each measures in this many rounds, all in turn, so that a slow moment affects all. Rounds before
 * them, that warm up, do not count.
 */
export async function mediansInTurn<Name extends string>(
  measures: Readonly<Record<Name, () => Promise<number>>>,
  { rounds, warmUps = 1 }: { readonly rounds: number; readonly warmUps?: number },
): Promise<Record<Name, number>> {
  const measured = (Object.entries(measures) as [Name, () => Promise<number>][]).map(([name, measure]) => ({
    name,
    measure,
    values: [] as number[],
  }));
  for (let round = 0; round < rounds + warmUps; round += 1) {
    for (const { measure, values } of measured) {
      const value = await measure();
      if (round >= warmUps) values.push(value);
    }
  }
  return Object.fromEntries(measured.map(({ name, values }) => [name, median(values)])) as Record<Name, number>;
}

/** The medians of this many rounds in milliseconds, both in turn. */
export async function compare(
  ours: () => Promise<unknown>,
  reference: () => Promise<unknown>,
  rounds = 200,
): Promise<[number, number]> {
  const medians = await mediansInTurn(
    { ours: () => millisecondsOf(ours), reference: () => millisecondsOf(reference) },
    { rounds, warmUps: 20 },
  );
  return [medians.ours, medians.reference];
}
