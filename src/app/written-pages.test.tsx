// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import type { Service, WrittenPage } from "#features/content/content.ts";
import { describeDrawing } from "#shared/images/drawings.ts";
import { Organisation } from "#shared/organisation.ts";
import type { PageReads } from "#shared/pages/page.ts";
import { siteFrame } from "#test/pages/site-frame.ts";
import settings from "../../organisation.json" with { type: "json" };
import { listPages, renderPage, type SiteFrame } from "./rendering/render.tsx";

const organisation = Organisation.parse({
  ...settings,
  name: "Marigold Trust",
  slug: "marigold-hill",
  supports: "Marigold Foundation, Pakistan",
  supportsUrl: "https://marigold.example/",
});
const site = siteFrame(organisation, { stylesheets: ["/site.css"], scripts: ["/shell.js"] });

const written: WrittenPage = {
  title: "A <spring>",
  description: "What {name} does for {supports}.",
  html: "<p>Water &lt;for&gt; all.</p><table><tbody><tr><td>x</td></tr></tbody></table>",
  picture: describeDrawing("/identity/illustrations/hospital.svg"),
  links: [{ label: "Annual report", url: "https://reports.example/annual" }],
  updatedAt: new Date("2026-11-01T00:00:00Z"),
};
const service: Service = {
  title: "A <service>",
  summary: "What this service does for the people who need it.",
  lede: "It goes where it is needed.",
  giveTo: "this service",
  cause: "homes",
  donation: "It stays with this service.",
  figures: [{ figure: "18", words: "homes" }],
  html: "<p>A home.</p><h2>Steps</h2><ol><li><h3>First</h3></li></ol>",
  questions: [{ question: "Is it <safe>?", answer: "It is." }],
  picture: describeDrawing("/identity/illustrations/hospital.svg"),
};
const services = (page: WrittenPage | null, found: Service | null = service) =>
  ({ findWrittenPage: async () => page, findService: async () => found }) as unknown as PageReads;

const WORLD = "/:organisation-world";
const paths = {
  written: ["/chairman-message", "/recognition", "/vision"],
  services: [
    "/ambulance-fund",
    "/fight-against-hunger",
    "/home-and-orphanage",
    "/patient-care",
    "/rehabilitation-center",
    "/flood-relief",
  ],
} as const;
const all = [...paths.written, ...paths.services, WORLD];

async function load(path: string, page: WrittenPage | null = written, slug = organisation.slug) {
  const row = listPages().find((one) => one.path === path)!;
  return row.load(services(page), { params: path === WORLD ? { organisation: slug } : {} }, organisation);
}
async function render(path: string, page: WrittenPage = written, at: SiteFrame = site): Promise<Document> {
  const row = listPages().find((one) => one.path === path)!;
  const real = path === WORLD ? "/marigold-hill-world" : path;
  return new DOMParser().parseFromString(renderPage(row, real, await load(path, page), at), "text/html");
}
const textOf = (element: Element | null) => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
const links = (root: ParentNode | null) =>
  [...(root?.querySelectorAll("a") ?? [])].map((link) => [textOf(link), link.getAttribute("href")]);

describe.each(paths.written)("%s", (path) => {
  test("PAGE-1: title, picture and text come from the server, with the title escaped", async () => {
    const page = await render(path);
    expect(textOf(page.querySelector("h1"))).toBe("A <spring>");
    expect(page.querySelector(".content-head img")?.getAttribute("src")).toBe("/identity/illustrations/hospital.svg");
    expect(textOf(page.querySelector(".prose > p"))).toBe("Water <for> all.");
  });

  test("LANG-4: the title is shown in its own direction", async () => {
    const page = await render(path, { ...written, title: "چشمہ (۲۰۲۶)!" });
    expect(page.querySelector("h1")!.getAttribute("dir")).toBe("auto");
  });

  test("PAGE-1: there is no page without a row, and no empty frame without a picture", async () => {
    expect(await load(path, null)).toBeNull();
    expect((await render(path, { ...written, picture: null })).querySelector("main img")).toBeNull();
  });

  test("NAV-4: the other pages of the organisation are linked beside it", async () => {
    const nav = (await render(path)).querySelector("main nav[aria-label=Organisation]");
    expect(links(nav).map(([, href]) => href)).toEqual([...paths.written]);
    expect(nav?.querySelector("[aria-current=page]")?.getAttribute("href")).toBe(path);
  });
});

test.each(paths.services)("PAGE-2, CON-11: %s shows a service as staff wrote it, escaped", async (path) => {
  const page = await render(path);
  expect(textOf(page.querySelector("h1"))).toBe("A <service>");
  expect(textOf(page.querySelector(".content-head .lede"))).toBe("It goes where it is needed.");
  expect(page.querySelector(".content-head img")?.getAttribute("src")).toBe("/identity/illustrations/hospital.svg");
  expect(textOf(page.querySelector(".figures"))).toBe("18 homes");
  expect(textOf(page.querySelector(".service-text > p"))).toBe("A home.");
  expect(textOf(page.querySelector(".questions summary"))).toBe("Is it <safe>?");
  expect(textOf(page.querySelector(".your-donation"))).toContain("It stays with this service.");
  const give = page.querySelector(".give");
  expect([textOf(give?.querySelector("h2") ?? null), links(give)]).toEqual([
    "Give to this service",
    [["Donate Now", "/donation?cause=homes"]],
  ]);
  expect(page.querySelector("meta[name=description]")?.getAttribute("content")).toBe(service.summary);
});

test("CON-11: a service without figures, questions or cause has no empty parts, and without a row there is no page", async () => {
  const row = listPages().find(({ path }) => path === "/flood-relief")!;
  const bare = { ...service, figures: [], questions: [], cause: "" };
  const html = renderPage(row, row.path, await row.load(services(null, bare), { params: {} }, organisation), site);
  const page = new DOMParser().parseFromString(html, "text/html");
  expect(page.querySelector(".figures, .questions")).toBeNull();
  expect(page.querySelector(".give a")?.getAttribute("href")).toBe("/donation");
  expect(await row.load(services(null, null), { params: {} }, organisation)).toBeNull();
});

describe("the world page", () => {
  test("PAGE-4: server content, links to other sites, and a button to the main site", async () => {
    const page = await render(WORLD);
    expect(textOf(page.querySelector("h1"))).toBe("Marigold Hill World");
    expect(textOf(page.querySelector(".content-head .lede"))).toBe("A <spring>");
    expect(textOf(page.querySelector(".prose > p"))).toBe("Water <for> all.");
    const button = page.querySelector(".content-head .btn");
    expect([textOf(button), button?.getAttribute("href"), button?.getAttribute("rel")]).toEqual([
      "Visit the site of Marigold Foundation, Pakistan",
      "https://marigold.example/",
      "external noopener",
    ]);
    const reference = page.querySelector(".references a");
    expect([textOf(reference), reference?.getAttribute("href"), reference?.getAttribute("rel")]).toEqual([
      "Annual report",
      "https://reports.example/annual",
      "external noopener",
    ]);
    expect(textOf(page.querySelector(".references li"))).toContain("reports.example");
  });

  test("PAGE-4: it only exists at the organisation's own address, and without links or main site shows neither", async () => {
    expect(await load(WORLD, written, "chashma")).toBeNull();
    expect(await load(WORLD, null)).toBeNull();
    const bare = { ...site, organisation: { ...organisation, supportsUrl: undefined } };
    const page = await render(WORLD, { ...written, links: [] }, bare as SiteFrame);
    expect(page.querySelector(".references, .content-head .btn")).toBeNull();
  });
});

test("CON-14: the window's title and the last breadcrumb are the page's own title; the rest is as staff named it in the menu", async () => {
  const main = [
    { label: "Home", path: "/" },
    { label: "About us", path: "#organisation" },
  ];
  const organisationLinks = [
    { label: "What we want", path: "/vision" },
    { label: "Report", path: "https://reports.example/" },
    { label: "Flood", path: "/flood-relief" },
  ];
  const changed = { ...site, menus: { main, organisation: organisationLinks } };
  const crumbs = (page: Document) => [...page.querySelectorAll(".crumbs li")].map(textOf);
  const vision = await render("/vision", written, changed);
  expect(vision.title).toBe("A <spring> | Marigold Trust");
  expect(crumbs(vision)).toEqual(["Home", "About us", "A <spring>"]);
  expect(links(vision.querySelector("main nav[aria-label='About us']"))).toEqual([
    ["What we want", "/vision"],
    ["Flood", "/flood-relief"],
  ]);
  expect(crumbs(await render("/flood-relief", written, changed))).toEqual(["Home", "About us", "A <service>"]);
  expect(crumbs(await render("/recognition", written, changed))).toEqual(["Home", "Organisation", "A <spring>"]);
});

describe("every content page", () => {
  test("NAV-9: title and description are the page's own, with the names filled in", async () => {
    for (const path of [...paths.written, WORLD]) {
      const page = await render(path);
      const description = page.querySelector("meta[name=description]")?.getAttribute("content");
      expect(description, path).toBe("What Marigold Trust does for Marigold Foundation, Pakistan.");
    }
  });

  test("NAV-6: the call to donate leads to the donation", async () => {
    for (const path of [...paths.written, WORLD]) {
      const button = (await render(path)).querySelector(".give a");
      expect(textOf(button), path).toBe("Donate Now");
      expect(button?.getAttribute("href"), path).toBe("/donation");
    }
  });

  test("PAGE-1, PAGE-2, PAGE-4: one title, breadcrumbs that end in it, headings without a gap, no inline style", async () => {
    for (const path of all) {
      const page = await render(path);
      expect(page.querySelectorAll("h1"), path).toHaveLength(1);
      expect(page.querySelectorAll(".crumbs [aria-current=page]"), path).toHaveLength(1);
      expect(page.querySelector("[style], main script"), path).toBeNull();
      const levels = [...page.querySelectorAll("main :is(h1, h2, h3, h4)")].map(({ tagName }) => Number(tagName[1]));
      levels.reduce((before, level) => {
        expect(level - before, path).toBeLessThanOrEqual(1);
        return level;
      });
      for (const link of page.querySelectorAll("main a[href^=http]")) {
        expect(link.getAttribute("rel"), path).toBe("external noopener");
      }
    }
  });

  test("PAGE-8: a table in a page's text can be reached and scrolled with the keyboard", async () => {
    const frame = (await render("/vision")).querySelector(".prose .table-wrap");
    expect([frame?.getAttribute("tabindex"), frame?.getAttribute("aria-label")]).toEqual(["0", "Table"]);
    expect(frame?.firstElementChild?.tagName).toBe("TABLE");
  });
});
