import { Agent, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { type AddressInfo, connect, type LookupFunction } from "node:net";
import { promisify } from "node:util";
import type { Network } from "#shared/outbound/visit.ts";

/** What a host answers to a request: a status, or a status and where it redirects to; undefined for no answer. */
type Reply = number | { readonly status: number; readonly location: string } | undefined;
export type Host = {
  /** One that is public, unless given. */
  readonly addresses?: readonly string[];
  readonly reply?: (request: { method: string; path: string }) => Reply;
};

/**
 * An internet of a few hosts, all served by this process. Names are resolved to public addresses, and connections to
 * these end at a server on this machine, so that nothing leaves it. `hosts` may be changed at any time.
 */
export async function openSmallInternet(hosts: Record<string, Host | undefined>) {
  const asked: string[] = [];
  const connected: string[] = [];
  let isAway = false;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url: path = "", headers } = request;
    asked.push(`${method} ${headers.host}${path} as ${headers["user-agent"]}`);
    const reply = hosts[headers.host!.replace(/:\d+$/, "")]?.reply ?? (() => 200);
    const answer = reply({ method, path });
    if (answer === undefined) request.socket.destroy();
    else if (typeof answer === "number") response.writeHead(answer).end("<p>Words");
    else response.writeHead(answer.status, { location: answer.location }).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const fail = (code: string): never => {
    throw Object.assign(new Error(code), { code });
  };
  /** Connects as an agent does, but notes the address that the connection would have gone to. */
  const createConnection = (options: { host?: string; port?: unknown; lookup?: LookupFunction }) => {
    const note = ([one]: { address: string }[]) => connected.push(`${one?.address}:${options.port}`);
    if (options.lookup === undefined) note([{ address: options.host! }]);
    else void promisify(options.lookup as never)(options.host, { all: true }).then(note as never);
    return connect(port, "127.0.0.1");
  };
  const network: Network = {
    resolve: async (host) => {
      if (isAway) fail("EAI_AGAIN");
      const found = hosts[host] ?? fail("ENOTFOUND");
      return (found.addresses ?? ["93.184.216.34"]).map((address) => ({
        address,
        family: address.includes(":") ? 6 : 4,
      }));
    },
    agents: {
      http: Object.assign(new Agent({ keepAlive: false }), { createConnection }),
      // Without TLS: what a certificate is worth is Node's to say.
      https: Object.assign(new SecureAgent({ keepAlive: false }), { createConnection }),
    },
  };
  return {
    network,
    /** Each request: 'HEAD host/path as user agent'. */
    asked,
    /** The address and port of each connection. */
    connected,
    /** Without internet, no name is resolved. */
    setAway: (value: boolean) => {
      isAway = value;
    },
    close: () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}
