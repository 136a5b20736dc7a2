import { afterEach, expect, test } from "vitest";
import { type Host, openSmallInternet } from "#test/small-internet.ts";
import { visit } from "./visit.ts";

let internet: Awaited<ReturnType<typeof openSmallInternet>>;
afterEach(() => internet.close());

const ask = async (address: string, hosts: Record<string, Host>) => {
  internet = await openSmallInternet(hosts);
  return visit(address, { userAgent: "Test (+https://chashma.example)", network: internet.network });
};

test("LNK-1: an address is asked for by HEAD, under the site’s name, with the host’s own name", async () => {
  expect(await ask("https://reports.test/2026?a=1&b=2#part", { "reports.test": {} })).toEqual({
    kind: "answered",
    status: 200,
  });
  expect(internet.asked).toEqual(["HEAD reports.test/2026?a=1&b=2 as Test (+https://chashma.example)"]);
  expect(internet.connected).toEqual(["93.184.216.34:443"]);
});

test.each([403, 404, 405, 501, undefined])("LNK-1: if HEAD gets %s, GET decides", async (refusal) => {
  const reply = ({ method }: { method: string }) => (method === "HEAD" ? refusal : 200);
  expect(await ask("http://strict.test/", { "strict.test": { reply } })).toEqual({ kind: "answered", status: 200 });
  expect(internet.asked.map((line) => line.split(" ")[0])).toEqual(["HEAD", "GET"]);
});

test("LNK-1: redirects are followed to the end, at most five", async () => {
  const hosts: Record<string, Host> = {
    "old.test": { reply: () => ({ status: 301, location: "https://new.test/a" }) },
    "new.test": { reply: ({ path }) => (path === "/b" ? 404 : { status: 302, location: "b" }) },
    "round.test": { reply: () => ({ status: 302, location: "/" }) },
  };
  expect(await ask("http://old.test/", hosts)).toEqual({ kind: "answered", status: 404 });
  await internet.close();
  expect(await ask("http://round.test/", hosts)).toEqual({ kind: "failed", reason: "redirects" });
  expect(internet.asked).toHaveLength(6);
});

test("LNK-1: a host that is not there has failed; one that connects and breaks off has not", async () => {
  expect(await ask("https://gone.test/", {})).toEqual({ kind: "failed", reason: "no_host" });
  await internet.close();
  internet = await openSmallInternet({ "closed.test": {} });
  await internet.close();
  const { network } = internet;
  expect(await visit("http://closed.test/", { userAgent: "Test", network })).toEqual({
    kind: "failed",
    reason: "no_connection",
  });
  expect(await ask("https://shy.test/", { "shy.test": { reply: () => undefined } })).toEqual({ kind: "unclear" });
});

const closed = [
  "http://closed.test/",
  "http://mixed.test/",
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://[::1]/",
];
const mapped = [
  "http://0x7f.1/",
  "http://[::ffff:10.0.0.1]/",
  "http://[64:ff9b::169.254.169.254]/",
  "http://169.254.169.254/",
];
const forms = [
  "http://open.test:8080/",
  "https://open.test:22/",
  "http://me:secret@open.test/",
  "http://me@open.test/",
  "ftp://open.test/",
];

const hosts: Record<string, Host> = {
  "open.test": {},
  "closed.test": { addresses: ["10.0.0.7"] },
  "mixed.test": { addresses: ["93.184.216.34", "fd00:ec2::254"] },
};

test.each([...closed, ...mapped, ...forms])("LNK-2: %s is never connected to", async (address) => {
  expect(await ask(address, hosts)).toEqual({ kind: "unclear" });
  expect(internet.connected).toEqual([]);
});

test.each([...closed, ...mapped, ...forms])("LNK-2: a redirect to %s is not followed", async (location) => {
  const sly = { reply: () => ({ status: 302, location }) };
  expect(await ask("http://sly.test/", { ...hosts, "sly.test": sly })).toEqual({ kind: "unclear" });
  expect(internet.connected).toEqual(["93.184.216.34:80", "93.184.216.34:80"]);
  expect(internet.asked.every((line) => line.includes(" sly.test/"))).toBe(true);
});

test("LNK-2: a name that changes its address after the check is connected at the checked one", async () => {
  let resolved = 0;
  internet = await openSmallInternet({ "rebinding.test": {} });
  const { network } = internet;
  const resolve = async () => {
    resolved += 1;
    return [{ address: resolved === 1 ? "93.184.216.34" : "127.0.0.1", family: 4 }];
  };
  const visited = await visit("http://rebinding.test/", { userAgent: "Test", network: { ...network, resolve } });
  expect(visited).toEqual({ kind: "answered", status: 200 });
  expect([resolved, internet.connected]).toEqual([1, ["93.184.216.34:80"]]);
});
