import { randomUUID } from "node:crypto";
import { createTicketClient } from "#test/faults/ticket-client.ts";
import type { Rate } from "./donations.ts";
import { median, type RunningProcess } from "./processes.ts";
import { paywayUrlOf } from "./site.ts";

export type OrderRate = Rate & {
  /** The address of one of the orders' pages. */
  readonly pagePath: string;
};

let buyers = 0;

/** Each buyer has their own browser and address: a hold is judged by what became of the others from the same address. */
async function prepareBuyer(site: RunningProcess) {
  buyers += 1;
  const address = `198.18.${Math.floor(buyers / 250) % 250}.${(buyers % 250) + 1}`;
  const client = createTicketClient({ url: site.url, paywayUrl: paywayUrlOf(site), address });
  await client.lookUp(randomUUID());
  return { client, solved: await client.solve() };
}

/** Orders over HTTP, from the choice of a seat to the issued ticket; captchas and card tokens are prepared first. */
export async function measureOrders(
  site: RunningProcess,
  event: string,
  { clients, each }: { readonly clients: number; readonly each: number },
): Promise<OrderRate> {
  const queues = await Promise.all(
    Array.from({ length: clients }, async () => {
      const prepared: Awaited<ReturnType<typeof prepareBuyer>>[] = [];
      for (let index = 0; index < each; index += 1) prepared.push(await prepareBuyer(site));
      return prepared;
    }),
  );
  const took: number[] = [];
  let pagePath = "";
  const began = performance.now();
  await Promise.all(
    queues.map(async (prepared) => {
      for (const { client, solved } of prepared) {
        const chosen = performance.now();
        const held = await client.hold(event, [{ type: "standard", quantity: 1 }]);
        if (!held.ok) throw new Error(`A hold was answered ${held.status}: ${held.message}`);
        const paid = await client.pay(held.data, client.bodyOf(held.data, solved));
        if (!paid.ok) throw new Error(`A payment was answered ${paid.status}: ${paid.message}`);
        took.push(performance.now() - chosen);
        pagePath = held.data.pageUrl;
      }
    }),
  );
  return { perSecond: (took.length * 1000) / (performance.now() - began), milliseconds: median(took), pagePath };
}
