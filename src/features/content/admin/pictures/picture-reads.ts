import { plainText } from "#shared/contract/plain-line.ts";
import type { Picture } from "#shared/images/picture.ts";
import { describePicture, imageAddress } from "#shared/images/store.ts";
import { takeInChanges } from "../../server/editing/items.ts";
import { kinds } from "../../server/editing/kinds.ts";
import { findPicture, isHash, type LibraryPicture, listPictures } from "../../server/pictures/library.ts";
import { countUses, isUnused, listUses, type PictureUse } from "../../server/pictures/uses.ts";
import type { ContentAdminServices } from "../content-services.ts";

const AT_ONCE = 60;

export type PictureList = {
  readonly pictures: readonly (LibraryPicture & { readonly uses: number })[];
  readonly q: string;
  /** Only those that are used nowhere. */
  readonly isUnused: boolean;
  readonly page: number;
  readonly hasMore: boolean;
};

export type OnePicture = {
  readonly picture: LibraryPicture;
  /** As pages show it. */
  readonly described: Picture;
  readonly uses: readonly PictureUse[];
  readonly replacement: LibraryPicture | null;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listPictures: (query: Readonly<Record<string, string>>) => Promise<PictureList>;
    /** Null if there is no such picture. */
    readonly findPicture: (hash: string) => Promise<OnePicture | null>;
  }
}

export function pictureReads({ database }: ContentAdminServices) {
  return {
    listPictures: async ({ q: typed = "", used, page: typedPage = "" }: Readonly<Record<string, string>>) => {
      for (const kind of kinds) await takeInChanges(database, kind);
      const q = plainText(typed);
      const page = /^[1-9]\d{0,3}$/.test(typedPage) ? Number(typedPage) : 1;
      const isNowhere = used === "nowhere";
      const found = await listPictures(database, {
        q,
        limit: AT_ONCE,
        offset: (page - 1) * AT_ONCE,
        ...(isNowhere && { where: isUnused }),
      });
      const shown = found.slice(0, AT_ONCE);
      const counts = await countUses(
        database,
        shown.map(({ hash }) => hash),
      );
      const pictures = shown.map((picture) => ({ ...picture, uses: counts.get(picture.hash) ?? 0 }));
      return { pictures, q, isUnused: isNowhere, page, hasMore: found.length > AT_ONCE } satisfies PictureList;
    },

    findPicture: async (hash: string): Promise<OnePicture | null> => {
      const picture = isHash(hash) ? await findPicture(database, hash) : null;
      if (picture === null) return null;
      const [described, uses, replacement] = await Promise.all([
        describePicture(database, imageAddress(hash)),
        listUses(database, hash),
        picture.replacedBy === null ? null : findPicture(database, picture.replacedBy),
      ]);
      // As it is now, which pages of this process follow a moment later.
      const focus = [picture.focusX, picture.focusY] as const;
      return { picture, described: { ...described, focus }, uses, replacement };
    },
  };
}
