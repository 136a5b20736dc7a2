import { useReducer, useRef } from "react";
import { IMAGE_REQUIRED } from "../../application.ts";
import type { Picture, Prepared } from "./prepare-picture.ts";
import { isSigned, type Stroke } from "./signature-strokes.ts";

export const pictureNames = ["photo", "signature"] as const;
export type PictureName = (typeof pictureNames)[number];

/** One of the two: chosen and ready, still being opened, or refused with a sentence. */
type Slot = { readonly picture?: Picture; readonly isOpening?: true; readonly fault?: string };

type Held = { readonly [Name in PictureName]: Slot } & { readonly strokes: readonly Stroke[] };

export type Gathered =
  | { readonly photo: Picture; readonly signature: Picture | readonly Stroke[] }
  | { readonly missing: readonly PictureName[] };

/** The two pictures of an application (VOL-6), in this page's memory alone; a signature may be drawn instead of chosen. */
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
    /** The one that was chosen last counts, however long each takes to open; one that is refused leaves the one before. */
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
    /** What is to be sent, once all that was chosen is open; or which are missing, with a sentence at each. */
    async gather(): Promise<Gathered> {
      await Promise.all(Object.values(opening.current));
      const { photo, signature, strokes } = held.current;
      const signed = signature.picture ?? (isSigned(strokes) ? strokes : undefined);
      if (photo.picture !== undefined && signed !== undefined) return { photo: photo.picture, signature: signed };
      if (photo.picture === undefined) change({ photo: { fault: photo.fault ?? IMAGE_REQUIRED } });
      if (signed === undefined) change({ signature: { fault: signature.fault ?? IMAGE_REQUIRED } });
      return { missing: pictureNames.filter((name) => (name === "photo" ? !photo.picture : !signed)) };
    },
  };
}
export type Pictures = ReturnType<typeof usePictures>;
