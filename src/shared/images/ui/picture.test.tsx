// @vitest-environment jsdom
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Picture } from "../picture.ts";
import { ContentPicture } from "./picture.tsx";

const photograph: Picture = {
  address: "/images/0123456789abcdef0123456789abcdef",
  width: 1600,
  height: 1200,
  color: "#a08060",
  widths: [320, 960, 1600],
};
const drawing: Picture = {
  address: "/identity/illustrations/hospital.svg",
  width: 800,
  height: 600,
  color: null,
  widths: [],
};

function render(element: React.ReactElement): HTMLElement {
  document.body.innerHTML = renderToStaticMarkup(element);
  return document.body;
}

test("HOME-10, PAGE-6: a photo loads in the right width and format, and its space is reserved before it loads", () => {
  const page = render(<ContentPicture picture={photograph} alt="A pump" sizes="50vw" className="wide" />);
  const image = page.querySelector("img")!;
  const { address } = photograph;
  expect(page.querySelector("source")?.outerHTML).toBe(
    `<source type="image/webp" srcset="${address}/320.webp 320w, ${address}/960.webp 960w, ${address}/1600.webp 1600w" sizes="50vw">`,
  );
  expect(image.getAttribute("srcset")).toBe(
    `${address}/320.jpg 320w, ${address}/960.jpg 960w, ${address}/1600.jpg 1600w`,
  );
  const attributes = ["alt", "src", "sizes", "width", "height", "loading"].map((name) => image.getAttribute(name));
  expect(attributes).toEqual(["A pump", `${address}/960.jpg`, "50vw", "1600", "1200", "lazy"]);
  expect(page.firstElementChild?.className).toBe("picture wide");
});

test("PIC-8: browsers are offered AVIF before WebP, where there is some", () => {
  const types = (picture: Picture) =>
    [...render(<ContentPicture picture={picture} alt="" sizes="50vw" />).querySelectorAll("source")].map(
      ({ type, srcset }) => [type, srcset.split(" ")[0]],
    );
  const webp = ["image/webp", `${photograph.address}/320.webp`];
  expect(types(photograph)).toEqual([webp]);
  expect(types({ ...photograph, hasAvif: true })).toEqual([["image/avif", `${photograph.address}/320.avif`], webp]);
});

test("PAGE-6: its colour shows first, without an inline style, hidden from screen readers, and only if there is one", () => {
  const page = render(<ContentPicture picture={photograph} alt="" sizes="50vw" />);
  expect(page.querySelector("svg[aria-hidden=true] rect")?.getAttribute("fill")).toBe("#a08060");
  expect(page.querySelector("[style]")).toBeNull();
  expect(
    render(<ContentPicture picture={{ ...photograph, color: null }} alt="" sizes="50vw" />).querySelector("svg"),
  ).toBe(null);
});

test("HOME-10: a drawing is a plain image, and pictures in the first view are fetched first", () => {
  const page = render(<ContentPicture picture={drawing} alt="A hospital" sizes="50vw" className="wide" isEager />);
  const image = page.querySelector("body > img")!;
  const attributes = ["src", "alt", "class", "width", "height", "loading", "fetchpriority", "srcset"];
  expect(attributes.map((name) => image.getAttribute(name))).toEqual([
    drawing.address,
    "A hospital",
    "wide",
    "800",
    "600",
    "eager",
    "high",
    null,
  ]);
});
