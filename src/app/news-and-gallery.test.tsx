// @vitest-environment jsdom
import { expect, test } from "vitest";
import type { Article, GalleryPicture } from "#features/content/content.ts";
import { Organisation } from "#shared/organisation.ts";
import { deliveredHomeTexts } from "#test/pages/home-texts.ts";
import { siteFrame } from "#test/pages/site-frame.ts";
import settings from "../../organisation.json" with { type: "json" };
import { listPages, renderPage } from "./rendering/render.tsx";

const tiles = deliveredHomeTexts;
const introduction = { lede: "From the people who were there.", description: "What {name} does." };
const site = siteFrame(Organisation.parse(settings), { enhancements: { carousel: "/c.js", gallery: "/gallery.js" } });
const photograph = {
  address: "/images/0123456789abcdef0123456789abcdef",
  width: 1600,
  height: 1200,
  color: "#336699",
  widths: [320, 1280, 1600],
};
const drawing = { address: "/identity/illustrations/hospital.svg", width: 800, height: 600, color: null, widths: [] };
const article: Article = {
  slug: "a-pump",
  title: "A pump & a gate",
  excerpt: "Water beside the school.",
  html: "<p>Eighty families</p>",
  date: "2026-10-14",
  picture: photograph,
  updatedAt: new Date("2026-10-15T01:02:03Z"),
};
const picture = (id: number, changes: Partial<GalleryPicture> = {}): GalleryPicture => ({
  id,
  title: `Picture ${id}`,
  description: "At work",
  date: "2026-10-01",
  createdBy: "admin",
  picture: photograph,
  ...changes,
});

function render(row: string, path: string, data: unknown): Document {
  const page = listPages().find((one) => one.path === row)!;
  return new DOMParser().parseFromString(renderPage(page, path, data, site), "text/html");
}
const textOf = (element: Element | null) => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
const links = (root: ParentNode | null) =>
  [...(root?.querySelectorAll("a") ?? [])].map((link) => [textOf(link), link.getAttribute("href")]);

test("LANG-4: what staff write is shown in its own direction, on pages of news and pictures", () => {
  const [title, text] = ["پانی کا نل (۲۰۲۶)!", "اسکول کے پاس پانی."];
  const written = { ...article, title, excerpt: text };
  const shown = picture(1, { title, description: text, createdBy: text });
  const pages = [
    render("/news", "/news", { list: { items: [written], next: null }, isFirst: true, tiles, introduction }),
    render("/news/:slug", "/news/a-pump", written),
    render("/gallery", "/gallery", { list: { items: [shown], next: null }, isFirst: true, tiles, introduction }),
  ];
  for (const page of pages) {
    for (const words of [title, text]) {
      const places = [...page.querySelectorAll("main *:not(nav *)")].filter((one) => one.textContent === words);
      expect(places.length, words).toBeGreaterThan(0);
      expect(
        places.filter(
          (one) => one.closest("[dir=auto], bdi") === null && one.querySelector("[dir=auto], bdi") === null,
        ),
      ).toEqual([]);
    }
  }
});

test("HOME-10: the list of news links each article, older news and the newest", () => {
  const list = { items: [article], next: "2026-10-14_3" };
  const first = render("/news", "/news", { list, isFirst: true, tiles, introduction });
  expect(first.title).toContain("News and articles");
  expect(links(first.querySelector(".grid-lead"))).toEqual([["A pump & a gate", "/news/a-pump"]]);
  expect(links(first.querySelector(".pager"))).toEqual([["Older news", "/news?after=2026-10-14_3"]]);
  const last = render("/news", "/news", { list: { items: [], next: null }, isFirst: false, tiles, introduction });
  expect(links(last.querySelector(".pager"))).toEqual([["Newest news", "/news"]]);
  expect(textOf(last.querySelector("main"))).toContain("There are no more articles.");
  const none = render("/news", "/news", { list: { items: [], next: null }, isFirst: true, tiles, introduction });
  expect(textOf(none.querySelector("main"))).toContain("The first article is on its way.");
  expect(none.querySelector(".pager")).toBeNull();
});

test("HOME-10: an article has its text, date, breadcrumbs and a call to donate", () => {
  const page = render("/news/:slug", "/news/a-pump", article);
  expect(textOf(page.querySelector("h1"))).toBe("A pump & a gate");
  expect(textOf(page.querySelector("time"))).toBe("14 October 2026");
  expect(page.querySelector(".prose")?.innerHTML).toBe("<p>Eighty families</p>");
  expect(links(page.querySelector(".crumbs"))).toEqual([
    ["Home", "/"],
    ["News and articles", "/news"],
  ]);
  expect(links(page.querySelector("aside .give"))[0]?.[0]).toBe("Donate Now");
  const bare = render("/news/:slug", "/news/a-pump", { ...article, html: "" });
  expect(textOf(bare.querySelector(".article-body"))).toContain("Water beside the school.");
});

test("HOME-10, NAV-9: an article has the structured data that search engines expect", () => {
  const page = render("/news/:slug", "/news/a-pump", article);
  expect(page.querySelector("meta[property='og:type']")?.getAttribute("content")).toBe("article");
  const graph = JSON.parse(page.querySelector("script[type='application/ld+json']")!.textContent!)["@graph"];
  const organisation = { "@id": "https://give.example/#organisation" };
  expect(graph.find((item: { "@type": string }) => item["@type"] === "Article")).toEqual({
    "@type": "Article",
    headline: "A pump & a gate",
    description: "Water beside the school.",
    datePublished: "2026-10-14",
    dateModified: "2026-10-15T01:02:03.000Z",
    image: [`https://give.example${photograph.address}`],
    author: organisation,
    publisher: organisation,
    mainEntityOfPage: "https://give.example/news/a-pump",
  });
});

test("PAGE-6: a gallery card has picture, title, description, day and 'Created By', and links the large file", () => {
  const items = [picture(1), picture(2, { picture: drawing, description: "" })];
  const page = render("/gallery", "/gallery", {
    list: { items, next: "2026-10-01_2" },
    isFirst: true,
    tiles,
    introduction,
  });
  const [first, second] = page.querySelectorAll(".gallery-list .card");
  expect(textOf(first!.querySelector(".body"))).toBe("Picture 1At work1 October 2026 Created By admin");
  expect(links(first!)).toEqual([["Picture 1", `${photograph.address}/1600.jpg`]]);
  expect(first!.querySelector("source")?.getAttribute("srcset")).toContain("1280.webp 1280w");
  expect(links(second!)).toEqual([["Picture 2", drawing.address]]);
  expect(second!.querySelector(".says")).toBeNull();
  expect(links(page.querySelector(".pager"))).toEqual([["Older pictures", "/gallery?after=2026-10-01_2"]]);
  expect(page.querySelector(".gallery-list")?.getAttribute("data-enhance")).toBe("/gallery.js");
  expect(page.querySelector("dialog.viewer")?.hasAttribute("open")).toBe(false);
});

test("PAGE-6: a gallery without pictures says so, and has no viewer", () => {
  const page = render("/gallery", "/gallery", { list: { items: [], next: null }, isFirst: true, tiles, introduction });
  expect(textOf(page.querySelector("main"))).toContain("Pictures from the field will appear here.");
  expect(page.querySelector(".mosaic")).not.toBeNull();
  expect(page.querySelector("dialog.viewer, .pager")).toBeNull();
});

test("PIC-9: article and gallery say a picture in the words of staff, and nothing where they have not", () => {
  const altOf = (page: Document, at: string) => page.querySelector(`${at} .picture img`)?.getAttribute("alt");
  const alt = "A girl fills a bucket";
  expect(altOf(render("/news/:slug", "/news/a-pump", { ...article, alt }), ".article-head")).toBe(alt);
  expect(altOf(render("/news/:slug", "/news/a-pump", article), ".article-head")).toBe("");
  const gallery = (items: GalleryPicture[]) =>
    render("/gallery", "/gallery", { list: { items, next: null }, isFirst: true, tiles, introduction });
  expect(altOf(gallery([picture(1, { alt })]), ".card")).toBe(alt);
  expect(altOf(gallery([picture(1)]), ".card")).toBe("");
});

test("PIC-9: the words of staff come before those of our own drawings, and none if they say that it decorates", () => {
  const altOf = (alt?: string) =>
    render("/news/:slug", "/news/a-pump", { ...article, picture: drawing, alt })
      .querySelector(".article-head .pic")
      ?.getAttribute("alt");
  expect(altOf("A ward at noon")).toBe("A ward at noon");
  expect(altOf("")).toBe("");
  expect(altOf()).toMatch(/^[A-Z].{20,}/);
});
