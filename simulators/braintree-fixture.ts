import braintree from "braintree";
import { createNonce } from "./control.ts";

export type Changes = { amount?: string; nonce?: string; orderId?: string; key?: string; account?: string };
type Validated = { errors?: { deepErrors(): { code: string }[] } };

/** The official SDK, pointed at the simulator at this address, with the calls that tests use. */
export function openFixtureGateway(url: string, keys: { publicKey?: string; merchantId?: string } = {}) {
  const { hostname, port } = new URL(url);
  const gateway = new braintree.BraintreeGateway({
    environment: new braintree.Environment(hostname, port, url, false, hostname, port),
    merchantId: "simulator",
    publicKey: "simulator_public",
    privateKey: "simulator_private",
    ...keys,
  });
  async function list(build: (search: never) => void): Promise<braintree.Transaction[]> {
    const found: braintree.Transaction[] = [];
    const stream = gateway.transaction.search(build as never) as unknown as AsyncIterable<braintree.Transaction>;
    for await (const transaction of stream) found.push(transaction);
    return found;
  }
  return {
    gateway,
    list,
    /** $108.15 with a fresh nonce, unless `changes` say otherwise. */
    async sell({ amount = "108.15", nonce, orderId = "D-1", key, account }: Changes = {}) {
      return gateway.transaction.sale({
        amount,
        orderId,
        paymentMethodNonce: nonce ?? (await createNonce(url)),
        merchantAccountId: account ?? "simulator_aud",
        options: { submitForSettlement: true },
        ...(key === undefined ? {} : { apiRequestKey: key }),
      });
    },
    /** The types have only an amount; the SDK accepts an order reference too. */
    refund: (id: string, amount?: string, orderId?: string) =>
      gateway.transaction.refund(id, { amount, ...(orderId === undefined ? {} : { orderId }) } as never),
    listOrder: (orderId: string) =>
      list((search) => (search as { orderId(): { is(value: string): void } }).orderId().is(orderId)),
  };
}

/** The error codes of refused fields. */
export function codes(result: Validated): string[] {
  return result.errors?.deepErrors().map(({ code }) => code) ?? [];
}
