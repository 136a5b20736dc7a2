import type { FastifyBaseLogger } from "fastify";
import { formatList } from "#shared/language.ts";
import { hasRight, type Right, type StaffMember } from "./rights.ts";

/** Something that waits for a person: a sentence, and the address where they deal with it. */
export type Waiting = {
  readonly text: string;
  readonly linkText: string;
  readonly path: string;
  /** `act`: somebody has to decide. `warn`: something may be wrong. `bad`: something is wrong. */
  readonly look: "act" | "warn" | "bad";
};

/** The most things that a line of the dashboard names. */
export const MOST_NAMED = 3;

/** A sentence with the first of the `count` things that it speaks of: '… for more than five days: Noor, Sana and 3 more' */
export function nameFirst(sentence: string, things: readonly string[], count: number): string {
  const first = things.slice(0, MOST_NAMED);
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
 * What a feature adds to the dashboard, for people with the right. Each part may take 20 ms with a million donations.
 */
export type DashboardPart = {
  readonly right: Right;
  readonly listWaiting?: () => Promise<readonly Waiting[]>;
  readonly listFigures?: () => Promise<readonly Figure[]>;
};

export type Dashboard = {
  readonly waiting: readonly Waiting[];
  readonly figures: readonly Figure[];
  /** Whether a part could not be read, so that something may be missing. */
  readonly isIncomplete: boolean;
};

declare module "./screen.ts" {
  interface AdminReads {
    readonly readDashboard: (staff: StaffMember) => Promise<Dashboard>;
  }
}

/** Reads what each part has for this person. One that fails is left out, and logged. */
export async function readDashboard(
  parts: readonly DashboardPart[],
  staff: StaffMember,
  log: FastifyBaseLogger,
): Promise<Dashboard> {
  const seen = parts.filter(({ right }) => hasRight(staff, right));
  let isIncomplete = false;
  const settle = async <Item>(reads: readonly (() => Promise<readonly Item[]>)[]): Promise<Item[]> => {
    const read = reads.map((one) =>
      one().catch((error: unknown) => {
        isIncomplete = true;
        log.error({ err: error }, "a part of the dashboard could not be read");
        return [];
      }),
    );
    return (await Promise.all(read)).flat();
  };
  const [waiting, figures] = await Promise.all([
    settle(seen.flatMap(({ listWaiting }) => listWaiting ?? [])),
    settle(seen.flatMap(({ listFigures }) => listFigures ?? [])),
  ]);
  const order = ["bad", "act", "warn"];
  waiting.sort((one, other) => order.indexOf(one.look) - order.indexOf(other.look));
  return { waiting, figures, isIncomplete };
}
