import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "./journey.ts";

/**
 * A server in front of a site that sends a page's HTML in two parts, as a slow connection does: the part up to
 * `before`, and the rest when `sendRest` is called. Everything else passes through.
 */
export async function serveInTwoParts(site: string, path: string, before: string) {
  let sendRest = () => {};
  const server = createServer(async ({ url = "/" }, response) => {
    const answer = await fetch(site + url);
    response.setHeader("content-type", answer.headers.get("content-type") ?? "");
    if (url === path) sendRest = sendFirstPart(response, await answer.text(), before);
    else response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sendRest: () => sendRest(),
    stop: () => server.close().closeAllConnections(),
  };
}

function sendFirstPart(response: ServerResponse, html: string, before: string): () => void {
  const at = html.indexOf(before);
  expect(at, before).toBeGreaterThan(0);
  response.write(html.slice(0, at));
  return () => void response.end(html.slice(at));
}
