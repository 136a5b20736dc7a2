import { expect, test } from "vitest";
import { Organisation } from "#shared/organisation.ts";
import settings from "../../../organisation.json" with { type: "json" };
import { structuredData } from "./structured-data.ts";

const organisation = Organisation.parse(settings);
const head = { title: "Ambulance Fund", description: "d" };
const at = (path: string) => ({ organisation, publicUrl: "https://give.example", path });
type Item = Record<string, unknown>;
const typesOf = (items: readonly object[]) => items.map((item) => (item as Item)["@type"]);

test("NAV-9: every page names the charity, home also the site, and a page in the menu its breadcrumbs", () => {
  const trail = [{ label: "Home", path: "/" }, { label: "Services" }, { label: "Ambulance Fund" }];
  const home = structuredData({ head, trail: [], context: at("/") });
  expect(typesOf(home)).toEqual(["NGO", "WebSite"]);
  expect(home[0]).toMatchObject({ name: organisation.name, taxID: organisation.abn, telephone: organisation.phone });
  const below = structuredData({ head, trail, context: at("/ambulance-fund") });
  expect(typesOf(below)).toEqual(["NGO", "BreadcrumbList"]);
  expect((below[1] as Item).itemListElement).toEqual([
    { "@type": "ListItem", position: 1, name: "Home", item: "https://give.example/" },
    { "@type": "ListItem", position: 2, name: "Ambulance Fund", item: "https://give.example/ambulance-fund" },
  ]);
});

test("NAV-9: unknown details are left out, and a page's own items are added", () => {
  const { nativeName, ...rest } = organisation;
  const context = { ...at("/events/dinner"), organisation: { ...rest, abn: "" } };
  const items = structuredData({ head: { ...head, structured: [{ "@type": "Event" }] }, trail: [], context });
  expect(typesOf(items)).toEqual(["NGO", "Event"]);
  expect(items[0]).not.toHaveProperty("taxID");
  expect(items[0]).not.toHaveProperty("alternateName");
});
