import { MADE_PASSWORD, makeManyDonations, makeUser } from "#database/factories.ts";
import { logInCall } from "#features/accounts/contract.ts";
import { call } from "#shared/contract/call.ts";
import type { Database } from "#shared/database/connect.ts";
import { paths, ticketPath } from "#shared/paths.ts";
import { openBrowser } from "../test/long/soak-visitors.ts";
import { mediansInTurn } from "./compare.ts";
import { cpuSeconds, type RunningProcess } from "./processes.ts";
import type { BenchRow } from "./table.ts";

const TIMES = 200;
const ROUNDS = 3;
const DONATIONS = 100;
/** As browsers send it to a site with a certificate. */
const headers = { "accept-encoding": "gzip, deflate, br, zstd" };

type Place = { readonly database: Database; readonly event: string; readonly orderPath: string };

/** The processor time of pages that are made for each request, by a member who has given often. */
export async function measureMadePages(
  site: RunningProcess,
  { database, event, orderPath }: Place,
): Promise<BenchRow[]> {
  const { id, email } = await makeUser(database);
  await makeManyDonations(database, { userId: id, count: DONATIONS });
  const send = await openBrowser(site.url, "198.51.100.250");
  const { ok } = await call(send, logInCall, { body: { email, password: MADE_PASSWORD } });
  if (!ok) throw new Error("The member could not log in.");
  const pages = {
    "ticket choice": ticketPath("selectTickets", event),
    order: orderPath,
    profile: paths.profile,
    history: paths.donationHistory,
  };
  const measure = async (path: string) => {
    const before = cpuSeconds(site.pid);
    for (let time = 0; time < TIMES; time += 1) {
      const { status } = await send({ method: "GET", url: path, body: undefined, headers });
      if (status !== 200) throw new Error(`${path} was answered ${status}.`);
    }
    return ((cpuSeconds(site.pid) - before) * 1000) / TIMES;
  };
  const measures = Object.entries(pages).map(([name, path]) => [name, () => measure(path)] as const);
  const medians = await mediansInTurn(Object.fromEntries(measures), { rounds: ROUNDS });
  return Object.entries(medians).map(([name, ours]) => ({
    what: `page made for each request: ${name}, CPU`,
    ours,
    unit: "ms",
  }));
}
