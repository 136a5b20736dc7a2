import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestSite, type TestSite } from "#test/site.ts";
import type { DoctorContext } from "./check.ts";
import { frontChecks } from "./front-checks.ts";
import { thisMachine } from "./machine.ts";

let site: TestSite;
let port: number;
beforeAll(async () => {
  site = await openTestSite({ TRUST_PROXY: "127.0.0.1" });
  await site.app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = site.app.server.address() as AddressInfo);
});
afterAll(() => site.close());

const check = frontChecks.find(({ id }) => id === "front.forwarded")!;

/** What the doctor finds through a proxy that changes a visitor's headers like this. */
async function lookThrough(
  change: (headers: Record<string, string>) => void,
  secretKey = site.services.config.secretKey,
) {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers } as Record<string, string>;
    change(headers);
    request({ host: "127.0.0.1", port, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    }).end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "localhost", resolve));
  const publicUrl = `http://localhost:${(proxy.address() as AddressInfo).port}`;
  const context = {
    config: { ...site.services.config, publicUrl, secretKey },
    machine: thisMachine,
    now: site.clock.now,
  };
  const found = await check.run(context as unknown as DoctorContext);
  proxy.close();
  return found.state;
}

test("DOC-6: a proxy that sets the visitor's address is right, one that passes on what visitors claim is not", async () => {
  expect(await lookThrough((headers) => Object.assign(headers, { "x-forwarded-for": "203.0.113.9" }))).toBe("ok");
  expect(await lookThrough(() => undefined)).toBe("fail");
  const claim = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" };
  expect(await lookThrough((headers) => Object.assign(headers, claim))).toBe("fail");
});

test("DOC-6: the site tells nobody else how their request looks", async () => {
  expect(await lookThrough(() => undefined, "another key, as long as it must be")).toBe("note");
  expect((await site.app.inject("/healthz?key=abc")).json()).toEqual({ status: "alive" });
});
