import { createTicketClient } from "#test/faults/ticket-client.ts";
import type { Rate } from "./donations.ts";
import { median, type RunningProcess } from "./processes.ts";
import { paywayUrlOf } from "./site.ts";

export type OrderRate = Rate & {
  /** The address of one of the orders' pages. */
  readonly pagePath: string;
};

/** Orders over HTTP, from the choice of a seat to the issued ticket; captchas and card tokens are prepared first. */
export async function measureOrders(
  site: RunningProcess,
  event: string,
  { clients, each }: { readonly clients: number; readonly each: number },
): Promise<OrderRate> {
  const queues = await Promise.all(
    Array.from({ length: clients }, async (_, number) => {
      const address = `198.51.100.${number + 1}`;
      const client = createTicketClient({ url: site.url, paywayUrl: paywayUrlOf(site), address });
      const solved: Awaited<ReturnType<typeof client.solve>>[] = [];
      for (let index = 0; index < each; index += 1) solved.push(await client.solve());
      return { client, solved };
    }),
  );
  const took: number[] = [];
  let pagePath = "";
  const began = performance.now();
  await Promise.all(
    queues.map(async ({ client, solved }) => {
      for (const one of solved) {
        const chosen = performance.now();
        const held = await client.hold(event, [{ type: "standard", quantity: 1 }]);
        if (!held.ok) throw new Error(`A hold was answered ${held.status}: ${held.message}`);
        const paid = await client.pay(held.data, client.bodyOf(held.data, one));
        if (!paid.ok) throw new Error(`A payment was answered ${paid.status}: ${paid.message}`);
        took.push(performance.now() - chosen);
        pagePath = held.data.pageUrl;
      }
    }),
  );
  return { perSecond: (took.length * 1000) / (performance.now() - began), milliseconds: median(took), pagePath };
}
