/** A point on the pad, which is 1,200 by 600 however large it is shown. */
export type Point = { readonly x: number; readonly y: number };
/** What was drawn between pen down and pen up. */
export type Stroke = readonly Point[];
/** Shorter than this, all strokes together are a slip of the finger. */
const SHORTEST = 150;

/** Whether enough was drawn to be a signature. */
export function isSigned(strokes: readonly Stroke[]): boolean {
  return strokes.reduce((sum, stroke) => sum + lengthOf(stroke), 0) >= SHORTEST;
}

function lengthOf(stroke: Stroke): number {
  return stroke.reduce((sum, { x, y }, index) => {
    const before = stroke[index - 1];
    return before === undefined ? 0 : sum + Math.hypot(x - before.x, y - before.y);
  }, 0);
}
