import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "@playwright/test";
import { checkPaymentPages, type Fetch } from "#app/check-payment-pages.ts";
import type { BuiltScripts } from "#app/rendering/script-files.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { test as ticketTest } from "./ticket-buyer.ts";

const { payment: scripts } = JSON.parse(readFileSync("dist/client/.vite/scripts.json", "utf8")) as BuiltScripts;
const inventory = scripts.map(({ address }) => address);
const PATHS = ["/donation", "/ticketsCheckout"];
const GUEST = { cookie: "guest=true" };

/** Every script and frame fetched from now on: ours by path, others by full address. */
function watchCode(page: Page, own: string) {
  const code = { scripts: new Set<string>(), frames: new Set<string>() };
  page.context().on("request", (request) => {
    const url = request.url().split("?", 1)[0]!;
    const isOfPage = request.frame().parentFrame() === null;
    if (request.resourceType() === "script" && isOfPage) code.scripts.add(url.replace(own, ""));
    else if (request.isNavigationRequest() && !isOfPage) code.frames.add(url);
  });
  return code;
}

test("SEC-11: the donation runs exactly the scripts of the inventory and PayWay's card frame", async ({
  page,
  donor,
  simulator,
  amount,
}) => {
  const code = watchCode(page, siteUrl());
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.solveCaptcha();
  await donor.typeCard();
  await donor.donate();
  await donor.seesSuccess();
  const own = [...code.scripts].filter((address) => address.startsWith("/"));
  expect(own.filter((address) => !inventory.includes(address))).toEqual([]);
  expect([...code.scripts].filter((address) => !address.startsWith("/"))).toEqual([
    `${simulator.url}/payway/rest/v1/payway.js`,
  ]);
  expect([...code.frames]).toEqual([`${simulator.url}/payway/rest/v1/creditCard-iframe.htm`]);
});

ticketTest.describe(() => {
  ticketTest.use({ site: "as-live" });
  ticketTest(
    "SEC-11: the ticket checkout runs only scripts of the inventory",
    { tag: "@long" },
    async ({ page, buyer, staff, simulator }) => {
      const slug = await staff.plan({});
      const code = watchCode(page, siteUrl("as-live"));
      await buyer.openCheckout(slug, { standard: 1 });
      code.scripts.clear();
      await page.reload();
      await buyer.fillBuyer();
      await buyer.solveCaptcha();
      await buyer.typeCard();
      const strange = [...code.scripts].filter((address) => !inventory.includes(address));
      expect(strange).toEqual([`${simulator.url}/payway/rest/v1/payway.js`]);
    },
  );
});

type Plant = { path: string; headers?: Record<string, string>; change?: (text: string) => string };

/** An attacker between the site and the browser, who changes one thing. */
async function openProxy(plant: Plant | undefined): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(siteUrl() + request.url, {
      headers: { cookie: request.headers.cookie ?? "" },
      redirect: "manual",
    });
    const isPlanted = plant !== undefined && request.url === plant.path;
    const body = Buffer.from(await answer.arrayBuffer());
    const headers = Object.fromEntries(answer.headers);
    for (const name of ["content-encoding", "content-length", "transfer-encoding", "connection"]) delete headers[name];
    response.writeHead(answer.status, { ...headers, ...(isPlanted ? plant.headers : {}) });
    response.end(isPlanted && plant.change ? plant.change(body.toString("utf8")) : body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const fetchFrom =
  (origin: string): Fetch =>
  async (path) => {
    const answer = await fetch(origin + path, { headers: GUEST, redirect: "manual" });
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
  };

/** The hourly check: compares what arrives from here with what the site sends. */
function check(origin: string): Promise<string[]> {
  const expected = async (path: string) => {
    const { body, ...rest } = await fetchFrom(siteUrl())(path);
    return { ...rest, html: body.toString("utf8") };
  };
  return checkPaymentPages({ paths: PATHS, scripts, fetch: fetchFrom(origin), expect: expected });
}

/** Opens the donation: whether planted code ran, and whether it had frames of other origins. */
async function open(browser: Browser, origin: string) {
  const context = await browser.newContext();
  await context.addCookies([{ name: "guest", value: "true", url: origin }]);
  const page = await context.newPage();
  await page.goto(`${origin}/donation`, { waitUntil: "networkidle" });
  const ran = await page.evaluate(() => "stolen" in window);
  const framed = page.frames().some((frame) => frame.url().endsWith("/terms"));
  const isAlive = await page.getByRole("textbox", { name: "First Name" }).isEnabled();
  await context.close();
  return { ran, framed, isAlive };
}

const steal = "window.stolen = true;";
const planted = (text: string) => (html: string) => html.replace("</head>", `${text}</head>`);
const weakened = { "content-security-policy": "script-src 'self' 'unsafe-inline'" };
const formScript = inventory.find((address) => address.includes("/donation-page-"))!;
const own = JSON.stringify(steal).slice(1, -1);

/** `ran`: without the policy the code runs, and only the alarm notices. */
const plants: Record<string, { plant: Plant; alarm: RegExp; seen: Record<string, boolean> }> = {
  "an extra script": {
    plant: { path: "/donation", change: planted(`<script src="data:text/javascript,${own}"></script>`) },
    alarm: /it has the script data:/,
    seen: { ran: false, framed: false, isAlive: true },
  },
  "a changed byte": {
    plant: { path: formScript, change: (code) => `${steal}${code}` },
    alarm: /donation-page-.*its bytes are not those of the build/,
    seen: { ran: false, framed: false },
  },
  "a new inline script": {
    plant: { path: "/donation", change: planted(`<script>${steal}</script>`) },
    alarm: /it has an inline script/,
    seen: { ran: false, framed: false, isAlive: true },
  },
  "a weakened policy": {
    plant: { path: "/donation", headers: weakened, change: planted(`<script>${steal}</script>`) },
    alarm: /the header content-security-policy is changed/,
    seen: { ran: true },
  },
  "a new frame": {
    plant: { path: "/donation", change: (html) => html.replace("</body>", '<iframe src="/terms"></iframe></body>') },
    alarm: /it has an element <iframe> to \/terms/,
    seen: { ran: false, framed: false, isAlive: true },
  },
};

/** The most important case: without the policy the code runs, and only the alarm notices. */
const short = ["a weakened policy"];

for (const [name, { plant, alarm, seen }] of Object.entries(plants)) {
  const tag = short.includes(name) ? [] : ["@long"];
  test(`SEC-11: ${name} on the way to the donation raises the alarm`, { tag }, async ({ browser }) => {
    const between = await openProxy(plant);
    try {
      expect((await check(between.url)).join("\n")).toMatch(alarm);
      expect(await open(browser, between.url)).toMatchObject(seen);
    } finally {
      between.server.close();
      between.server.closeAllConnections();
    }
  });
}

test("SEC-11: unchanged pages raise no alarm, directly or behind a proxy", async ({ browser }) => {
  const between = await openProxy(undefined);
  try {
    expect(await check(siteUrl())).toEqual([]);
    expect(await check(between.url)).toEqual([]);
    expect(await open(browser, between.url)).toEqual({ ran: false, framed: false, isAlive: true });
  } finally {
    between.server.close();
    between.server.closeAllConnections();
  }
});
