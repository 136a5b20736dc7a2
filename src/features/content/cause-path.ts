import { paths } from "#shared/paths.ts";

const pathByTitle: ReadonlyMap<string, string> = new Map([
  ["fight against hunger", paths.fightAgainstHunger],
  ["patient care", paths.patientCare],
  ["rehabilitation centers", paths.rehabilitationCenter],
  ["home and orphanage", paths.homeAndOrphanage],
  ["flood relief", paths.floodRelief],
]);

/** The page that a cause's card opens, chosen by its title (HOME-6); null for a title that opens none. */
export function causePath(title: string): string | null {
  const wanted = title.trim().toLowerCase();
  return wanted.includes("ambulance") ? paths.ambulanceFund : (pathByTitle.get(wanted) ?? null);
}
