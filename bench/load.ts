import { Client } from "undici";

type Load = {
  readonly answers: number;
  readonly perSecond: number;
  /** Answers other than 2xx. */
  readonly refused: number;
  readonly unanswered: number;
};

type LoadOptions = { readonly connections: number; readonly seconds: number };

const GIVE_UP_MS = 10_000;
const patience = { headersTimeout: GIVE_UP_MS, bodyTimeout: GIVE_UP_MS };
const headers = { "accept-encoding": "br" };

/** Sends the same request on each connection as soon as the one before it is answered. Bodies stay compressed. */
export async function load(url: string, { connections, seconds }: LoadOptions): Promise<Load> {
  const { origin, pathname: path, search } = new URL(url);
  let [answers, refused, unanswered] = [0, 0, 0];
  const began = performance.now();
  const end = began + seconds * 1000;
  const ask = (client: Client) =>
    new Promise<number | undefined>((resolve) => {
      let status: number | undefined;
      client.dispatch(
        { path: path + search, method: "GET", headers },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_, code) => {
            status = code;
          },
          onResponseData: () => undefined,
          onResponseEnd: () => resolve(status),
          onResponseError: () => resolve(undefined),
        },
      );
    });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(origin, patience);
      while (performance.now() < end) {
        const status = await ask(client);
        if (status === undefined) unanswered += 1;
        else answers += 1;
        if (status !== undefined && (status < 200 || status > 299)) refused += 1;
      }
      await client.close();
    }),
  );
  return { answers, perSecond: (answers * 1000) / (performance.now() - began), refused, unanswered };
}
