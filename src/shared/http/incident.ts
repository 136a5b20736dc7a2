import { randomBytes } from "node:crypto";

const processName = randomBytes(2).toString("hex").toUpperCase();
let requests = 0;

/**
 * The number that a visitor may read out and that finds the request in the log, such as 7F3A-1K. The first part names the
 * process; asking for randomness once a request would cost more than a cached page's own work.
 */
export function newIncidentNumber(): string {
  requests += 1;
  return `${processName}-${requests.toString(36).toUpperCase()}`;
}
