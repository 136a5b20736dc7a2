import { randomBytes } from "node:crypto";

/** The number that a visitor may read out and that finds the request in the log: eight letters and digits. */
export function newIncidentNumber(): string {
  return randomBytes(5).toString("hex").slice(0, 8).toUpperCase();
}
