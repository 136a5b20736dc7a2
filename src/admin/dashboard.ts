import type { FastifyBaseLogger } from "fastify";
import { formatList } from "#shared/language.ts";
import { type ActingRight, hasRight, type Right, type StaffMember } from "./rights.ts";
import type { AdminReads, Screen, Section, WaitingCounts } from "./screen.ts";

/** Something that waits for a person: a sentence, and the address where they deal with it. */
export type WaitingLine = {
  readonly text: string;
  readonly linkText: string;
  readonly path: string;
  /** `act`: somebody has to decide. `warn`: something may be wrong. `bad`: something is wrong. */
  readonly look: "act" | "warn" | "bad";
};

/** The most things that a line of the dashboard names. */
export const MAX_NAMED = 3;

/** A sentence with the first of the `count` things that it speaks of: '… for more than five days: Noor, Sana and 3 more' */
export function nameFirst(sentence: string, listed: readonly string[], count: number): string {
  const first = listed.slice(0, MAX_NAMED);
  const names = count > first.length ? [...first, `${count - first.length} more`] : first;
  return names.length === 0 ? sentence : `${sentence.replace(/\.$/, "")}: ${formatList(names, "and")}`;
}

/** A figure of this month so far, beside the same days of the month before. */
export type Figure = {
  readonly label: string;
  readonly unit: "cents" | "count";
  readonly now: number;
  readonly before: number;
  /** Running totals from the first day: of this month so far, and of the whole month before. */
  readonly days: readonly number[];
  readonly daysBefore: readonly number[];
};

/**
 * What a feature adds to the dashboard, for people with the right: things wait only for those who may deal with them.
 * Each part may take 20 ms with a million donations.
 */
export type DashboardPart = {
  /** Whether what waits depends on who looks, not only on their rights. */
  readonly isPersonal?: true;
  readonly listFigures?: () => Promise<readonly Figure[]>;
} & (
  | { readonly right: Right; readonly listWaiting?: never }
  | {
      readonly right: ActingRight;
      readonly listWaiting: (staff: StaffMember) => Promise<readonly WaitingLine[]>;
    }
);

export type Dashboard = {
  readonly waiting: readonly WaitingLine[];
  readonly figures: readonly Figure[];
  /** Whether a part could not be read, so that something may be missing. */
  readonly isIncomplete: boolean;
};

declare module "./screen.ts" {
  interface AdminReads {
    readonly readDashboard: (staff: StaffMember) => Promise<Dashboard>;
    /** At most ten seconds old, or as old as the last act in this process. */
    readonly countWaiting: (staff: StaffMember) => Promise<WaitingCounts>;
    /** After an act, the counts are read again. */
    readonly forgetWaiting: () => void;
  }
}

const KEPT_MS = 10_000;

type Parts = {
  readonly parts: readonly DashboardPart[];
  readonly screens: readonly Pick<Screen, "path" | "section">[];
  readonly log: FastifyBaseLogger;
};

/** What waits and what was given, from every part. A part that fails is left out, and logged. */
export function createDashboard({ parts, screens, log }: Parts) {
  const kept = new Map<string, { readonly until: number; readonly lines: Promise<readonly WaitingLine[]> }>();
  const sectionOf = findSections(screens);

  function listWaiting(part: DashboardPart, staff: StaffMember, mayBeKept: boolean): Promise<readonly WaitingLine[]> {
    const key = `${parts.indexOf(part)} ${part.isPersonal ? staff.id : ""}`;
    const known = kept.get(key);
    if (mayBeKept && known !== undefined && performance.now() < known.until) return known.lines;
    const lines = part.listWaiting?.(staff) ?? Promise.resolve([]);
    kept.set(key, { until: performance.now() + KEPT_MS, lines });
    lines.catch(() => kept.delete(key));
    return lines;
  }

  /** The items of all parts that this person may see, and whether one failed. */
  async function settle<Item>(staff: StaffMember, read: (part: DashboardPart) => Promise<readonly Item[]>) {
    let isIncomplete = false;
    const seen = parts.filter(({ right }) => hasRight(staff, right));
    const items = await Promise.all(
      seen.map((part) =>
        read(part).catch((error: unknown) => {
          isIncomplete = true;
          log.error({ err: error }, "a part of the dashboard could not be read");
          return [];
        }),
      ),
    );
    return { items: items.flat(), isIncomplete };
  }

  return {
    async readDashboard(staff: StaffMember): Promise<Dashboard> {
      const [waiting, figures] = await Promise.all([
        settle(staff, (part) => listWaiting(part, staff, false)),
        settle(staff, async (part) => part.listFigures?.() ?? []),
      ]);
      const order = ["bad", "act", "warn"];
      return {
        waiting: waiting.items.toSorted((one, other) => order.indexOf(one.look) - order.indexOf(other.look)),
        figures: figures.items,
        isIncomplete: waiting.isIncomplete || figures.isIncomplete,
      };
    },
    async countWaiting(staff: StaffMember): Promise<WaitingCounts> {
      const { items } = await settle(staff, (part) => listWaiting(part, staff, true));
      const counts: Partial<Record<Section, number>> = { dashboard: items.length };
      for (const { path } of items) {
        const section = sectionOf(path);
        if (section !== undefined && section !== "dashboard") counts[section] = (counts[section] ?? 0) + 1;
      }
      return counts;
    },
    forgetWaiting: () => kept.clear(),
  } satisfies Partial<AdminReads>;
}

/** The section of an address: that of the screens with the same beginning, such as `/admin/refunds`. */
function findSections(screens: Parts["screens"]): (path: string) => Section | undefined {
  const beginOf = (path: string) => path.split(/[/?#]/, 3).join("/");
  const sections = new Map(screens.flatMap(({ path, section }) => (section ? [[beginOf(path), section]] : [])));
  return (path) => sections.get(beginOf(path));
}
