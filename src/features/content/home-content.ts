import type { Home } from "./contract.ts";

export type GalleryPicture = { readonly title: string; readonly image: string };

/** What the home page needs beyond what the call for programs says: the message itself and the newest pictures. */
export type HomeContent = Home & { readonly chairmanText: string; readonly gallery: readonly GalleryPicture[] };
