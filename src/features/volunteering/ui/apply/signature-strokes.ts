/** A point on the pad, which has 1,200 by 600 units at any size. */
export type Point = { readonly x: number; readonly y: number };
/** From pen down to pen up. */
export type Stroke = readonly Point[];
/** Less drawn length in all is a slip, not a signature. */
const MIN_LENGTH = 150;

/** Whether enough was drawn to be a signature. */
export function isSigned(strokes: readonly Stroke[]): boolean {
  return strokes.reduce((sum, stroke) => sum + lengthOf(stroke), 0) >= MIN_LENGTH;
}

function lengthOf(stroke: Stroke): number {
  return stroke.reduce((sum, { x, y }, index) => {
    const before = stroke[index - 1];
    return before === undefined ? 0 : sum + Math.hypot(x - before.x, y - before.y);
  }, 0);
}
