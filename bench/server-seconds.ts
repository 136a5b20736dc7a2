import { readdirSync, readFileSync } from "node:fs";
import { findPostmaster } from "#database/embedded/postmaster.ts";

/** Linux counts in hundredths of a second. */
const ticksPerSecond = 100;

/** Seconds of processor time of the PostgreSQL of a data folder: its processes, and those that have ended. */
export function serverSeconds(data: string): number {
  const { pid } = findPostmaster(data)!;
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), fields: readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]!.split(" ") }];
      } catch {
        return [];
      }
    });
  const ticks = stats.flatMap(({ pid: own, fields }) => {
    if (own === pid) return fields.slice(11, 15).map(Number);
    return Number(fields[1]) === pid ? fields.slice(11, 13).map(Number) : [];
  });
  return ticks.reduce((sum, some) => sum + some, 0) / ticksPerSecond;
}
