import { createElement } from "../rich-text/create-element.ts";

/** The picture takes the focal point where it is pressed; the point and every shape follow the two numbers as they change. */
export function enhanceFocalPoint(frame: HTMLElement): void {
  const image = frame.querySelector("img");
  const form = document.querySelector<HTMLFormElement>("#change-picture");
  const left = form?.querySelector<HTMLInputElement>('[name="x"]');
  const top = form?.querySelector<HTMLInputElement>('[name="y"]');
  if (!image || !left || !top) return;
  const point = createElement("span", { class: "pt", "aria-hidden": true });
  const pictures = document.querySelectorAll<HTMLElement>("[data-crops] .picture");
  const show = () => {
    const place = [left, top].map(({ value }) => (/^(\d|[1-9]\d|100)$/.test(value.trim()) ? Number(value) : null));
    const [x, y] = place;
    if (typeof x !== "number" || typeof y !== "number") return;
    point.style.left = `${x}%`;
    point.style.top = `${y}%`;
    // The classes of pages, so that the shapes show exactly what visitors will see.
    for (const { classList } of pictures) {
      classList.remove(...[...classList].filter((name) => /^f[xy]-/.test(name)));
      classList.add("has-focus", `fx-${Math.round(x / 10)}`, `fy-${Math.round(y / 10)}`);
    }
  };
  image.addEventListener("click", ({ offsetX, offsetY }) => {
    left.value = String(percentOf(offsetX, image.clientWidth));
    top.value = String(percentOf(offsetY, image.clientHeight));
    show();
  });
  for (const input of [left, top]) input.addEventListener("input", show);
  frame.classList.add("is-live");
  frame.append(point);
  show();
}

const percentOf = (at: number, whole: number) => Math.min(100, Math.max(0, Math.round((at / whole) * 100)));
