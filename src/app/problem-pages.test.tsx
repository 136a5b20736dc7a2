// @vitest-environment jsdom
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { deliveredMenus } from "#features/content/menu-links.ts";
import { deliveredFrame } from "#shared/brand/delivered-frame.ts";
import { Organisation } from "#shared/organisation.ts";
import settings from "../../organisation.json" with { type: "json" };
import { pages } from "./pages.ts";
import { FailurePage, NotFoundPage } from "./problem-pages.tsx";

// Stylesheets are empty in tests, but the page of components reads its colours from one.
vi.mock("#shared/ui/styles/tokens.css?raw", async () => {
  const { readFileSync } = await import("node:fs");
  return { default: readFileSync("src/shared/ui/styles/tokens.css", "utf8") };
});

const organisation = Organisation.parse({ ...settings, phone: "02 9000 1111" });

async function open(path: string) {
  const page = pages.find((row) => row.path === path)!;
  const context = {
    organisation,
    publicUrl: "https://give.example",
    path,
    trail: [],
    brand: deliveredFrame,
    menus: {},
  };
  const data = await page.load({} as never, { params: {} }, organisation);
  return { page, head: page.head(data, context), body: parse(page.body(data, context)) };
}
function parse(element: React.ReactElement): HTMLElement {
  document.body.innerHTML = renderToStaticMarkup(element);
  return document.body;
}
const links = (root: ParentNode) => [...root.querySelectorAll("a")].map((link) => link.getAttribute("href"));

test("NAV-8: an unknown address is answered with the likely pages and the helpline", () => {
  const body = parse(<NotFoundPage organisation={organisation} services={deliveredMenus(organisation).services} />);
  expect(body.querySelector("h1")?.textContent).toBe("We couldn’t find that page");
  expect(body.querySelector(".lede")?.textContent).toContain("A link from an email may have been cut off");
  expect(links(body)).toEqual(
    expect.arrayContaining(["/", "/donation", "/patient-care", "/contact", "tel:0290001111"]),
  );
});

test("NAV-8: a server failure shows its incident number, offers the same address again, and warns against a second payment", () => {
  const body = parse(<FailurePage organisation={organisation} incident="AB12CD34" />);
  expect(body.querySelector(".incident dd")?.textContent).toBe("AB12CD34");
  expect(links(body)).toEqual(["", "/", "tel:0290001111", `mailto:${organisation.email}?subject=Incident%20AB12CD34`]);
  expect(body.textContent).toContain("please don’t pay again");
});

test("the page of components is for developers and not for search engines", async () => {
  const { page, body } = await open("/dev/parts");
  expect([page.isForDevelopers, page.isIndexed]).toEqual([true, false]);
  const ids = [...body.querySelectorAll("[id]")].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const link of links(body).filter((each) => each?.startsWith("#"))) expect(ids).toContain(link?.slice(1));
});
