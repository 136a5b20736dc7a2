import type { Stroke } from "./signature-strokes.ts";

/** The size of the pad in its own units. */
export const PAD = { width: 1200, height: 600 } as const;
const PEN = 7;
const INK = "#16214f";

type Pen = Pick<
  CanvasRenderingContext2D,
  "fillStyle" | "fillRect" | "beginPath" | "moveTo" | "lineTo" | "quadraticCurveTo" | "stroke"
> &
  CanvasPathDrawingStyles & { strokeStyle: string | CanvasGradient | CanvasPattern };

/** Redraws everything, dark on white whatever the page's colours. */
export function drawStrokes(pen: Pen, strokes: readonly Stroke[]): void {
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, PAD.width, PAD.height);
  pen.strokeStyle = INK;
  pen.lineWidth = PEN;
  pen.lineCap = "round";
  pen.lineJoin = "round";
  for (const stroke of strokes) drawStroke(pen, stroke);
}

/** Draws curves through the midpoints, so that no corners show. */
function drawStroke(pen: Pen, stroke: Stroke): void {
  const [first, ...rest] = stroke;
  if (first === undefined) return;
  pen.beginPath();
  pen.moveTo(first.x, first.y);
  if (rest.length === 0) pen.lineTo(first.x + 0.1, first.y);
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    if (next === undefined) pen.lineTo(point.x, point.y);
    else pen.quadraticCurveTo(point.x, point.y, (point.x + next.x) / 2, (point.y + next.y) / 2);
  });
  pen.stroke();
}
