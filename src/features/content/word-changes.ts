/** A piece of text that both versions have, or only one of them. */
export type Piece = { readonly in: "both" | "before" | "after"; readonly text: string };

/** Texts that differ in more places than this are shown as wholly replaced. */
const MAX_CHANGES = 400;

/** Compares two texts by words and tags. The pieces in order, without those of the other text, make up each text. */
export function compareWords(before: string, after: string): Piece[] {
  const [one, other] = [splitWords(before), splitWords(after)];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  const shorter = Math.min(one.length, other.length) - start;
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const pieces: Piece[] = [
    ...one.slice(0, start).map((text): Piece => ({ in: "both", text })),
    ...compareLists(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...one.slice(one.length - end).map((text): Piece => ({ in: "both", text })),
  ];
  return joinAlike(pieces);
}

/** Tags, words and the spaces between them. */
const splitWords = (text: string): string[] => text.match(/<[^<>]*>|\s+|[^<\s]+|</g) ?? [];

/** The shortest way from one list to the other (E. Myers, An O(ND) Difference Algorithm, 1986). */
function compareLists(one: readonly string[], other: readonly string[]): Piece[] {
  const replaced: Piece[] = [
    ...one.map((text): Piece => ({ in: "before", text })),
    ...other.map((text): Piece => ({ in: "after", text })),
  ];
  if (one.length === 0 || other.length === 0) return replaced;
  const max = Math.min(one.length + other.length, MAX_CHANGES);
  /** How far each diagonal reaches in `one`, with 0, 1, 2 … changes. */
  const steps: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let changes = 0; changes <= max; changes += 1) {
    const next = new Map(reach);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = isDown(reach, diagonal, changes) ? (reach.get(diagonal + 1) ?? 0) : (reach.get(diagonal - 1) ?? 0) + 1;
      while (x < one.length && x - diagonal < other.length && one[x] === other[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= one.length && x - diagonal >= other.length) return walkBack([...steps, reach], one, other);
    }
    steps.push(reach);
    reach = new Map([...next].filter(([diagonal]) => Math.abs(diagonal) <= changes));
  }
  return replaced;
}

const isDown = (reach: ReadonlyMap<number, number>, diagonal: number, changes: number) =>
  diagonal === -changes || (diagonal !== changes && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1));

/** `steps`: the reach before each change, the last one included. */
function walkBack(
  steps: readonly ReadonlyMap<number, number>[],
  one: readonly string[],
  other: readonly string[],
): Piece[] {
  const pieces: Piece[] = [];
  let [x, y] = [one.length, other.length];
  for (let changes = steps.length - 1; changes >= 0; changes -= 1) {
    const reach = steps[changes]!;
    const down = isDown(reach, x - y, changes);
    const diagonal = down ? x - y + 1 : x - y - 1;
    const fromX = changes === 0 ? 0 : (reach.get(diagonal) ?? 0);
    const fromY = changes === 0 ? 0 : fromX - diagonal;
    while (x > fromX && y > fromY && one[x - 1] === other[y - 1]) {
      x -= 1;
      y -= 1;
      pieces.push({ in: "both", text: one[x]! });
    }
    if (changes === 0) break;
    if (down) y -= 1;
    else x -= 1;
    pieces.push(down ? { in: "after", text: other[y]! } : { in: "before", text: one[x]! });
  }
  return pieces.reverse();
}

function joinAlike(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.in === piece.in) joined[joined.length - 1] = { in: last.in, text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}
