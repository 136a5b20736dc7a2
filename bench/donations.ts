import { createScriptedDonor } from "#test/faults/donor.ts";
import { cpuSeconds, mainThreadSeconds, median, quantile, type RunningProcess } from "./processes.ts";
import { paywayUrlOf } from "./site.ts";

export type Rate = { readonly perSecond: number; readonly milliseconds: number };
export type DonationRate = Rate & {
  readonly p95Milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly threadMilliseconds: number;
  /** The address of one of the receipts. */
  readonly receiptPath: string;
};

/** Donations over HTTP, from request to charged card; forms and captchas are prepared first. */
export async function measureDonations(site: RunningProcess, clients: number, each: number): Promise<DonationRate> {
  const queues = await Promise.all(Array.from({ length: clients }, (_, client) => prepare(site, client, each)));
  const took: number[] = [];
  let receiptPath = "";
  const [cpuBefore, threadBefore] = [cpuSeconds(site.pid), mainThreadSeconds(site.pid)];
  const began = performance.now();
  await Promise.all(
    queues.map(async ({ donor, donations }) => {
      for (const { donation, body } of donations) {
        const sent = performance.now();
        const answer = await donor.post(donation, body);
        if (!answer.ok) throw new Error(`A donation was answered ${answer.status}: ${answer.message}`);
        took.push(performance.now() - sent);
        receiptPath = answer.data?.receiptUrl ?? receiptPath;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  return {
    perSecond: took.length / seconds,
    milliseconds: median(took),
    p95Milliseconds: quantile(took, 0.95),
    cpuMilliseconds: ((cpuSeconds(site.pid) - cpuBefore) * 1000) / took.length,
    threadMilliseconds: ((mainThreadSeconds(site.pid) - threadBefore) * 1000) / took.length,
    receiptPath,
  };
}

async function prepare(site: RunningProcess, client: number, count: number) {
  const donor = createScriptedDonor({
    url: site.url,
    paywayUrl: paywayUrlOf(site),
    address: `198.51.100.${client + 1}`,
    random: () => 0.4,
  });
  const donations: Awaited<ReturnType<typeof donor.prepare>>[] = [];
  for (let index = 0; index < count; index += 1) donations.push(await donor.prepare(`bench-${client}-${index}`));
  return { donor, donations };
}
