import type { Lane, LaneName } from "../../server/listed-applications.ts";

export type Board = {
  readonly lanes: Readonly<Record<LaneName, Lane>>;
  /** How many have waited for us for too long. */
  readonly waiting: number;
  readonly now: Date;
};
