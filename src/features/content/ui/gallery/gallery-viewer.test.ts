// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from "vitest";
import { startViewer } from "./gallery-viewer.ts";

const card = (name: string) =>
  `<li class="card"><div class="media"><picture><source sizes="25rem"><img sizes="25rem" loading="lazy"></picture></div>
    <h2 class="card-title"><a href="/${name}.jpg">${name}</a></h2><p class="says">About ${name}</p></li>`;

let viewer: HTMLDialogElement;
let track: HTMLElement;
const list = () => document.querySelector<HTMLElement>(".gallery-list")!;
const links = () => [...list().querySelectorAll("a")];
const words = () => [...viewer.querySelectorAll(".viewer-words p")].map(({ textContent }) => textContent);
const press = (key: string, more: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  viewer.dispatchEvent(event);
  return event.defaultPrevented;
};

beforeEach(() => {
  document.body.innerHTML = `<ul class="gallery-list">${["one", "two", "three"].map(card).join("")}</ul>
    <dialog class="viewer"><section class="viewer-track"></section><div class="viewer-words"><p></p><p></p><p></p></div>
    <button data-turn="-1"></button><button data-turn="1"></button></dialog>`;
  viewer = document.querySelector("dialog")!;
  track = viewer.querySelector(".viewer-track")!;
  // jsdom has no layout.
  track.scrollTo = vi.fn<(...given: unknown[]) => void>();
  Object.defineProperty(track, "clientWidth", { value: 500 });
  viewer.showModal = () => {
    viewer.open = true;
  };
  startViewer(list(), viewer);
});

test("PAGE-6: a card opens its picture, as wide as the window, and says which of how many it is", () => {
  const click = new MouseEvent("click", { bubbles: true, cancelable: true });
  links()[1]!.dispatchEvent(click);
  expect([click.defaultPrevented, viewer.open]).toEqual([true, true]);
  expect(words()).toEqual(["Picture 2 of 3", "two", "About two"]);
  expect(track.scrollTo).toHaveBeenLastCalledWith({ left: 500, behavior: "instant" });
  expect([...track.querySelectorAll("[sizes]")].map((one) => one.getAttribute("sizes"))).toEqual(
    Array(6).fill("100vw"),
  );
  expect(list().querySelector("img")?.getAttribute("sizes")).toBe("25rem");
});

test("PAGE-6: arrows, Home, End and the buttons change the picture, wrapping around at the ends; Alt with an arrow does not", () => {
  links()[0]!.click();
  const seen = (turn: () => void) => {
    turn();
    return words()[1];
  };
  expect(seen(() => press("ArrowRight"))).toBe("two");
  expect(track.scrollTo).toHaveBeenLastCalledWith({ left: 500, behavior: "auto" });
  expect(seen(() => press("ArrowLeft", { altKey: true }))).toBe("two");
  expect(seen(() => press("End"))).toBe("three");
  expect(seen(() => viewer.querySelector<HTMLElement>("[data-turn='1']")!.click())).toBe("one");
  expect(track.scrollTo).toHaveBeenLastCalledWith({ left: 0, behavior: "instant" });
  expect(seen(() => viewer.querySelector<HTMLElement>("[data-turn='-1']")!.click())).toBe("three");
  expect(seen(() => press("Home"))).toBe("one");
  expect([press("Home"), press("Tab"), press("Escape")]).toEqual([true, false, false]);
});

test("PAGE-6: after a swipe the caption follows, and closing focuses the card of the last picture", () => {
  links()[0]!.click();
  track.scrollLeft = 990;
  track.dispatchEvent(new Event("scroll"));
  expect(words()[1]).toBe("one");
  track.dispatchEvent(new Event("scrollend"));
  expect(words()).toEqual(["Picture 3 of 3", "three", "About three"]);
  viewer.open = false;
  viewer.dispatchEvent(new Event("close"));
  expect(document.activeElement).toBe(links()[2]);
});

test("PAGE-6: the picture and its neighbours are loaded, the others wait", () => {
  links()[0]!.click();
  const isFetched = [...track.querySelectorAll("img")].map((image) => image.loading === "eager");
  expect(isFetched).toEqual([true, true, false]);
});

test("PAGE-6: a click with Ctrl, Shift or Cmd opens the file as any link does", () => {
  for (const key of ["ctrlKey", "shiftKey", "metaKey"]) {
    const click = new MouseEvent("click", { bubbles: true, cancelable: true, [key]: true });
    const wasTaken = vi.fn();
    const listen = (event: Event) => {
      wasTaken(event.defaultPrevented);
      event.preventDefault();
    };
    document.addEventListener("click", listen, { once: true });
    links()[0]!.dispatchEvent(click);
    expect(wasTaken, key).toHaveBeenCalledExactlyOnceWith(false);
    expect(viewer.open, key).toBe(false);
  }
});
