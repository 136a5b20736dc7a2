// @vitest-environment jsdom
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { deliveredFrame } from "#shared/brand/delivered-frame.ts";
import { Organisation } from "#shared/organisation.ts";
import settings from "../../../../../organisation.json" with { type: "json" };
import { HomePage } from "./home-page.tsx";

const organisation = Organisation.parse(settings);
const home = { message: null, causes: [], testimonials: [], news: [], gallery: [] };

function open(brand: Partial<typeof deliveredFrame>): HTMLElement {
  document.body.innerHTML = renderToStaticMarkup(
    <HomePage home={home} organisation={organisation} brand={{ ...deliveredFrame, ...brand }} />,
  );
  return document.body;
}

test("BRA-6: the home page has its blocks in the chosen order, and only those that are on", () => {
  const headings = (page: HTMLElement) => [...page.querySelectorAll("h1, h2")].map(({ textContent }) => textContent);
  expect(headings(open({}))).toEqual([
    "Give a child the Gift of Education",
    "Choose where your donation goes",
    "Gallery",
    "Ways to help",
  ]);
  expect(headings(open({ home: ["tiles", "cards"] }))).toEqual([
    "Give a child the Gift of Education",
    "Ways to help",
    "Choose where your donation goes",
  ]);
});

test("BRA-6: a photograph stands in the place of a drawing, with its words, or nothing does", () => {
  const picture = { address: `/images/${"a".repeat(32)}`, width: 900, height: 600, color: null, widths: [320, 900] };
  const page = open({ hero: { picture, words: "Two volunteers pack boxes" }, cards: [picture, "drawing", "nothing"] });
  expect(page.querySelector(".hero img")?.getAttribute("alt")).toBe("Two volunteers pack boxes");
  expect(
    [...page.querySelectorAll(".donation-card")].map((card) => card.querySelector("img")?.getAttribute("src")),
  ).toEqual([`${picture.address}/900.jpg`, "/identity/illustrations/hospital.svg", undefined]);
  expect(open({ hero: "nothing" }).querySelector(".hero img")).toBeNull();
});
