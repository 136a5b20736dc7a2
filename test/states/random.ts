export type Random = ReturnType<typeof createRandom>;

/** A generator that gives the same numbers for the same seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** At least 0, below 1. */
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(share() * limit);
  return {
    share,
    below,
    /** Whether something of this probability happens. */
    isHit: (probability: number): boolean => share() < probability,
    oneOf: <Item>(items: readonly Item[]): Item => items[below(items.length)]!,
    /** From least to most, evenly on a logarithmic scale. */
    spread: (min: number, max: number): number => Math.round(min * (max / min) ** share()),
  };
}

/** Draws by weight. */
export function drawer<Name extends string>(weights: Readonly<Record<Name, number>>): (random: Random) => Name {
  const names = Object.keys(weights) as Name[];
  const total = names.reduce((sum, name) => sum + weights[name], 0);
  return (random) => {
    let left = random.share() * total;
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return names.at(-1)!;
  };
}
