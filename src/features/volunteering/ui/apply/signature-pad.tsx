import { type PointerEvent, useEffect, useRef } from "react";
import { drawStrokes, PAD } from "./draw-signature.ts";
import type { Point, Stroke } from "./signature-strokes.ts";

type SignaturePadProps = {
  readonly strokes: readonly Stroke[];
  readonly onDraw: (strokes: readonly Stroke[]) => void;
};

/** Signing with finger, mouse or pen; the alternative is to upload a picture. */
export function SignaturePad({ strokes, onDraw }: SignaturePadProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isEmpty = strokes.length === 0;
  const drawing = useRef<{ readonly pointer: number; readonly points: Point[] }>(undefined);
  const draw = () => {
    const pen = canvas.current?.getContext("2d");
    const unfinished = drawing.current === undefined ? [] : [drawing.current.points];
    if (pen) drawStrokes(pen, [...strokes, ...unfinished]);
  };
  useEffect(draw, [strokes]);

  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    if (drawing.current !== undefined || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drawing.current = { pointer: event.pointerId, points: [placeOf(event, event.currentTarget)] };
    draw();
  };
  const goOn = (event: PointerEvent<HTMLCanvasElement>) => {
    if (drawing.current?.pointer !== event.pointerId) return;
    const { nativeEvent, currentTarget } = event;
    // Several pointer positions may belong to one frame.
    const between = nativeEvent.getCoalescedEvents?.() ?? [];
    for (const each of between.length > 0 ? between : [nativeEvent]) {
      drawing.current.points.push(placeOf(each, currentTarget));
    }
    draw();
  };
  const end = (event: PointerEvent<HTMLCanvasElement>) => {
    if (drawing.current?.pointer !== event.pointerId) return;
    const { points } = drawing.current;
    drawing.current = undefined;
    onDraw([...strokes, points]);
  };
  return (
    <div className="sign-pad">
      <canvas
        ref={canvas}
        {...PAD}
        role="img"
        aria-label={isEmpty ? "Signature pad, empty" : "The signature you drew"}
        onPointerDown={begin}
        onPointerMove={goOn}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <div className="row">
        <button
          type="button"
          className="btn btn-quiet"
          aria-disabled={isEmpty}
          onClick={() => isEmpty || onDraw(strokes.slice(0, -1))}
        >
          Undo last stroke
        </button>
        <button type="button" className="btn btn-quiet" aria-disabled={isEmpty} onClick={() => isEmpty || onDraw([])}>
          Clear signature
        </button>
      </div>
    </div>
  );
}

function placeOf({ clientX, clientY }: { clientX: number; clientY: number }, canvas: HTMLCanvasElement): Point {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return { x: ((clientX - left) / width) * PAD.width, y: ((clientY - top) / height) * PAD.height };
}
