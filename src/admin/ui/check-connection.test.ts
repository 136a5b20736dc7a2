// @vitest-environment jsdom
import { expect, test, vi } from "vitest";

test("ADM-2: while somebody types, the site is told every five minutes that they are there", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const send = vi.fn(async () => new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", send);
  document.body.innerHTML = `<main class="sheet"><form data-enhance="check-connection"><textarea></textarea></form></main>`;
  await import("./check-connection.admin.ts");
  const text = document.querySelector("textarea")!;
  const typeFor = (minutes: number) => {
    for (let second = 0; second < minutes * 60; second += 1) {
      vi.advanceTimersByTime(1000);
      text.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };
  typeFor(4);
  expect(send).not.toHaveBeenCalled();
  typeFor(12);
  expect(send.mock.calls).toEqual([
    ["/admin/you/session.json"],
    ["/admin/you/session.json"],
    ["/admin/you/session.json"],
  ]);
  vi.useRealTimers();
});
