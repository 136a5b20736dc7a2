import { paths } from "#shared/paths.ts";

/** The page of each service, by its type. */
export const servicePaths = {
  ambulance_fund: paths.ambulanceFund,
  fight_against_hunger: paths.fightAgainstHunger,
  home_and_orphanage: paths.homeAndOrphanage,
  patient_care: paths.patientCare,
  rehabilitation_center: paths.rehabilitationCenter,
  flood_relief: paths.floodRelief,
} as const;

export type ServiceType = keyof typeof servicePaths;

export const isServiceType = (type: string): type is ServiceType => Object.hasOwn(servicePaths, type);
