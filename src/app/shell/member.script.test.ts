// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DRAFT_KEY as DONATION_DRAFT } from "#features/donations/draft.ts";
import { DRAFT_KEY as VOLUNTEER_DRAFT } from "#features/volunteering/draft.ts";
import { setCookie } from "#test/cookies.ts";

const reload = vi.fn();
const sent: { url: string; body: unknown }[] = [];
let answer: () => { status: number; data?: object };
const sana = { user_id: 7, first_name: "Sana" };

beforeEach(() => {
  vi.resetModules();
  reload.mockClear();
  sent.length = 0;
  sessionStorage.clear();
  localStorage.clear();
  document.body.innerHTML = '<button data-log-out>Log Out</button><div class="toasts"></div>';
  setCookie("user=7");
  vi.stubGlobal("location", { pathname: "/profile", search: "", reload });
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (init.method === "HEAD") return { status: 200, text: async () => "" };
    sent.push({ url, body: JSON.parse(String(init.body)) });
    const { status, data } = answer();
    return { status, text: async () => JSON.stringify({ code: String(status), status: "true", message: "", data }) };
  });
});
afterEach(() => {
  for (const forget of listening.splice(0)) forget();
  setCookie("user=; max-age=0");
  vi.unstubAllGlobals();
});
/** Each test runs the script again, as another page would, without the listeners of the last one. */
const listening: (() => void)[] = [];
async function start() {
  const spies = [window, document].map((target: EventTarget) => vi.spyOn(target, "addEventListener"));
  await import("./member.script.ts");
  for (const [index, spy] of spies.entries()) {
    const target = [window, document][index]!;
    for (const [event, listener] of spy.mock.calls)
      listening.push(() => listener && target.removeEventListener(event, listener));
    spy.mockRestore();
  }
}
const kept = () => sessionStorage.getItem("user");
const logOut = () => document.querySelector("button")!.click();

test("LOG-17: a new tab asks the server once who is logged in, and stores the answer", async () => {
  answer = () => ({ status: 200, data: sana });
  await start();
  await expect.poll(kept).toBe(JSON.stringify(sana));
  expect(sent).toEqual([{ url: "/api/user", body: { user_id: "7" } }]);
  dispatchEvent(new Event("pageshow"));
  expect(sent).toHaveLength(1);
});

test("LOG-17: an ended session clears storage and hint, and leaves a personal page", async () => {
  answer = () => ({ status: 401 });
  await start();
  await expect.poll(() => reload).toHaveBeenCalled();
  expect(document.cookie).not.toContain("user=");
  expect(kept()).toBeNull();
});

test("LOG-16, DON-20: logging out tells the server, clears user and drafts, and reloads", async () => {
  sessionStorage.setItem("user", JSON.stringify(sana));
  for (const key of [DONATION_DRAFT, VOLUNTEER_DRAFT]) localStorage.setItem(key, "{}");
  answer = () => ({ status: 200, data: {} });
  await start();
  logOut();
  logOut();
  await expect.poll(() => reload).toHaveBeenCalledOnce();
  expect(sent.map(({ url }) => url)).toEqual(["/api/logout"]);
  expect([kept(), Object.keys(localStorage)]).toEqual([null, ["logged-out"]]);
});

test("LOG-16: without an answer the user stays logged in, and is told so", async () => {
  sessionStorage.setItem("user", JSON.stringify(sana));
  answer = () => {
    throw new TypeError("the network is gone");
  };
  const said = new Promise<string>((resolve) =>
    document.addEventListener("almoner:toast", (event) => resolve((event as CustomEvent).detail.text), { once: true }),
  );
  await start();
  logOut();
  expect(await said).toMatch(/^You’re still logged in/);
  expect(kept()).not.toBeNull();
  expect(reload).not.toHaveBeenCalled();
});

test("LOG-17: a log-out in another tab leaves a personal page", async () => {
  sessionStorage.setItem("user", JSON.stringify(sana));
  await start();
  setCookie("user=; max-age=0");
  dispatchEvent(new Event("storage"));
  expect(reload).toHaveBeenCalled();
});

test("PRO-9: a page that asks to log in again stays in the meantime, and is left at a log-out in another tab", async () => {
  sessionStorage.setItem("user", JSON.stringify(sana));
  await start();
  document.body.innerHTML += "<a data-logged-out>Log in</a>";
  setCookie("user=; max-age=0");
  for (const event of ["almoner:session", "visibilitychange", "pageshow"]) dispatchEvent(new Event(event));
  dispatchEvent(new StorageEvent("storage", { key: "donation-draft" }));
  expect(reload).not.toHaveBeenCalled();
  dispatchEvent(new StorageEvent("storage", { key: "logged-out" }));
  expect(reload).toHaveBeenCalledOnce();
});

test("LOG-22: a page that asks to confirm an email is reloaded once after another tab has confirmed it", async () => {
  sessionStorage.setItem("user", JSON.stringify(sana));
  document.body.innerHTML += "<p data-unconfirmed>Not confirmed yet</p>";
  await start();
  localStorage.setItem("email-confirmed", String(performance.timeOrigin - 1));
  for (const event of ["storage", "pageshow", "visibilitychange"]) dispatchEvent(new Event(event));
  expect(reload).not.toHaveBeenCalled();
  localStorage.setItem("email-confirmed", String(Date.now()));
  dispatchEvent(new Event("storage"));
  expect(reload).toHaveBeenCalledOnce();
  document.querySelector("[data-unconfirmed]")!.remove();
  dispatchEvent(new Event("storage"));
  expect(reload).toHaveBeenCalledOnce();
});
