import type { Connection } from "#shared/database/connect.ts";
import { networkOf, subnetOf } from "#shared/http/client-address.ts";
import { declined, isPaidAttempt } from "./decline-breaker.ts";

const HOUR_MS = 3_600_000;
/** The declines in an hour, beyond half of the successes, that make an address or its wider network suspicious. */
const suspiciousFrom = { address: 2, network: 3 } as const;

/** `known`: this browser has paid before. `suspicious`: its cards, or those of its network, are being declined. */
type CardRisk = "known" | "new" | "suspicious";

type Place = { readonly address: string; readonly browser: string | undefined };

/** The risk of a sender's card payment, from earlier payments; only needed while cards are guarded. */
export async function findCardRisk(connection: Connection, { address, browser }: Place, now: Date): Promise<CardRisk> {
  const own = browser === undefined ? { declined: 0, paid: 0 } : await countOfBrowser(connection, browser);
  if (own.paid > 0 && own.declined <= own.paid) return "known";
  if (own.declined > 1) return "suspicious";
  const rows = await connection
    .selectFrom("payment_attempts")
    .select(["customer_ip_address as address", declined.as("isDeclined")])
    .where("provider", "=", "payway")
    .where("sent_at", ">", new Date(now.getTime() - HOUR_MS))
    .where((where) => where.or([declined, isPaidAttempt]))
    .execute();
  const reaches = (threshold: number, placeOf: (address: string) => string) => {
    const near = rows.filter((row) => placeOf(row.address) === placeOf(address));
    return near.reduce((excess, { isDeclined }) => excess + (isDeclined ? 1 : -0.5), 0) >= threshold;
  };
  const isSuspicious = reaches(suspiciousFrom.address, subnetOf) || reaches(suspiciousFrom.network, networkOf);
  return isSuspicious ? "suspicious" : "new";
}

async function countOfBrowser(connection: Connection, browser: string) {
  const count = connection.fn.countAll<number>;
  return connection
    .selectFrom("payment_attempts")
    .select([count().filterWhere(declined).as("declined"), count().filterWhere(isPaidAttempt).as("paid")])
    .where("provider", "=", "payway")
    .where("browser_id", "=", browser)
    .executeTakeFirstOrThrow();
}
