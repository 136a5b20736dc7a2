import { useReducer, useRef } from "react";
import type { ChosenPicture, Prepared } from "./prepare-picture.ts";
import type { Stroke } from "./signature-strokes.ts";

export const pictureNames = ["photo", "signature"] as const;
export type PictureName = (typeof pictureNames)[number];

type Slot = { readonly picture?: ChosenPicture; readonly isOpening?: true; readonly fault?: string };

type Held = { readonly [Name in PictureName]: Slot } & { readonly strokes: readonly Stroke[] };

/** The two pictures of an application (VOL-6), in memory only. A signature may be drawn instead. */
export function usePictures() {
  const held = useRef<Held>({ photo: {}, signature: {}, strokes: [] });
  const opening = useRef({ photo: Promise.resolve(), signature: Promise.resolve() });
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const change = (part: Partial<Held>) => {
    held.current = { ...held.current, ...part };
    redraw();
  };
  return {
    ...held.current,
    /** The last chosen file counts, however long each takes to open. A refused one leaves the earlier picture. */
    choose(name: PictureName, preparing: Promise<Prepared>) {
      const before = held.current[name].picture;
      change({ [name]: { isOpening: true, ...(before && { picture: before }) } });
      const work: Promise<void> = preparing.then((prepared) => {
        if (opening.current[name] !== work) return;
        if ("fault" in prepared) change({ [name]: { fault: prepared.fault, ...(before && { picture: before }) } });
        else change({ [name]: { picture: prepared } });
      });
      opening.current[name] = work;
    },
    remove(name: PictureName) {
      opening.current[name] = Promise.resolve();
      change({ [name]: {} });
    },
    draw(strokes: readonly Stroke[]) {
      change({ strokes, signature: {} });
    },
    refuse(name: PictureName, fault: string) {
      change({ [name]: { ...held.current[name], fault } });
    },
    clear: () => change({ photo: {}, signature: {}, strokes: [] }),
    /** Waits until all chosen pictures are open. */
    async settle(): Promise<Held> {
      await Promise.all(Object.values(opening.current));
      return held.current;
    },
  };
}
export type Pictures = ReturnType<typeof usePictures>;
