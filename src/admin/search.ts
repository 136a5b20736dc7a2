import type { FastifyBaseLogger } from "fastify";
import { withoutPunctuation } from "./list-filter.ts";
import { hasRight, type Right, type StaffMember } from "./rights.ts";
import { listMenu, type Screen } from "./screen.ts";
import type { IconName } from "./ui/icon.tsx";

/** Something that was found, and the screen that shows it. */
export type Hit = { readonly label: string; readonly detail: string; readonly path: string };

export type HitGroup = { readonly title: string; readonly icon: IconName; readonly hits: readonly Hit[] };

/** What a feature adds to the search of the whole back office. Five hits of a group are shown; it may take 100 ms. */
export type SearchPart = {
  readonly right: Right;
  readonly find: (text: string) => Promise<readonly HitGroup[]>;
};

declare module "./screen.ts" {
  interface AdminReads {
    readonly searchEverywhere: (staff: StaffMember, text: string) => Promise<readonly HitGroup[]>;
  }
}

/** Isolates a name's direction from the text around it, like HTML’s `bdi`, for labels, which are plain text. */
export const isolate = (name: string) => `\u2068${name}\u2069`;

const MAX_HITS = 5;

/** The screens, and what the features find, that this person may see. A part that fails is left out, and logged. */
export async function searchEverywhere(
  { parts, screens, log }: { parts: readonly SearchPart[]; screens: readonly Screen[]; log: FastifyBaseLogger },
  staff: StaffMember,
  text: string,
): Promise<readonly HitGroup[]> {
  const wanted = withoutPunctuation(text);
  const groups = await Promise.all(
    parts
      .filter(({ right }) => wanted !== "" && hasRight(staff, right))
      .map(({ find }) =>
        find(wanted).catch((error: unknown): readonly HitGroup[] => {
          log.error({ err: error }, "a part of the search failed");
          return [];
        }),
      ),
  );
  const found = groups.flat().map((group) => ({ ...group, hits: group.hits.slice(0, MAX_HITS) }));
  return [...found, findScreens(screens, staff, wanted)].filter(({ hits }) => hits.length > 0);
}

function findScreens(screens: readonly Screen[], staff: StaffMember, wanted: string): HitGroup {
  const hits = listMenu(screens, staff, undefined)
    .flatMap((entry) => entry.screens.map(({ label, path }) => ({ label, path, detail: entry.label })))
    .filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()))
    .map((hit) => (hit.detail === hit.label ? { ...hit, detail: "" } : hit));
  return { title: "Go to", icon: "right", hits };
}
