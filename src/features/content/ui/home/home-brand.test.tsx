// @vitest-environment jsdom
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { deliveredFrame } from "#shared/brand/delivered-frame.ts";
import { Organisation } from "#shared/organisation.ts";
import { deliveredHomeTexts } from "#test/pages/home-texts.ts";
import settings from "../../../../../organisation.json" with { type: "json" };
import { HomePage } from "./home-page.tsx";

const organisation = Organisation.parse(settings);
const home = {
  texts: deliveredHomeTexts,
  message: null,
  causes: [],
  testimonials: [],
  news: [],
  gallery: [],
  takenDown: [],
};

function open(brand: Partial<typeof deliveredFrame>, texts: Partial<typeof deliveredHomeTexts> = {}): HTMLElement {
  const shown = { ...home, texts: { ...deliveredHomeTexts, ...texts } };
  document.body.innerHTML = renderToStaticMarkup(
    <HomePage home={shown} organisation={organisation} brand={{ ...deliveredFrame, ...brand }} />,
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

test("HOME-13: a card without a title is left out and the others keep their pictures; one without a cause leads to the form", () => {
  const page = open({}, { card1Title: "", card2Title: "Wells", card2Fund: "", cardsLabel: "" });
  const cards = [...page.querySelectorAll(".donation-card")];
  expect(cards.map((card) => [card.textContent, card.getAttribute("href")])).toEqual([
    ["Wells", "/donation"],
    ["Homes", "/donation?cause=homes"],
  ]);
  expect(cards[0]?.querySelector("img")?.getAttribute("src")).toBe("/identity/illustrations/hospital.svg");
  expect(open({}, { card1Title: "", card2Title: "", card3Title: "" }).querySelector(".donation-cards")).toBeNull();
});

test("HOME-13: the organisation's names stand in the place of their placeholders, and empty sentences take no room", () => {
  const page = open({}, { headline: "{name} for {supports}", tagLine: "", galleryEmpty: "" });
  expect(page.querySelector("h1")?.textContent).toBe(`${organisation.name} for ${organisation.supports}`);
  expect(page.querySelector(".tag-line, .gallery-block .lede")).toBeNull();
});
