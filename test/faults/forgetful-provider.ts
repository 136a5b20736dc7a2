import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { testCards, tokenise } from "#simulators/control.ts";

/**
 * A proxy between server and simulator that removes what keeps a repeated call from charging twice: each call reaches the
 * provider with a new Idempotency-Key and card token, and its first answer is lost.
 */
export async function startForgetfulProvider(paywayUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const base = new URL(paywayUrl);
  const answered = new Set<string>();
  const server = createServer(async (request, response) => {
    const headers: Record<string, string> = { authorization: request.headers.authorization ?? "" };
    const form = new URLSearchParams(await text(request));
    const isCharge = request.method === "POST" && form.has("singleUseTokenId");
    const order = form.get("orderNumber") ?? "";
    if (isCharge) {
      headers["idempotency-key"] = randomUUID();
      form.set("singleUseTokenId", await tokenise(paywayUrl, testCards.approved));
    }
    const answer = await fetch(base.origin + request.url, {
      method: request.method ?? "GET",
      headers,
      ...(request.method === "POST" ? { body: form } : {}),
    });
    const body = await answer.text();
    if (isCharge && !answered.has(order)) {
      answered.add(order);
      request.socket.resetAndDestroy();
    } else {
      response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base.pathname}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
