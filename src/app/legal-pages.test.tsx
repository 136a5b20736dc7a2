// @vitest-environment jsdom
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { WrittenPage } from "#features/content/content.ts";
import { TrustBlock } from "#payments/checkout/ui/trust-block.tsx";
import { Organisation } from "#shared/organisation.ts";
import { siteFrame } from "#test/pages/site-frame.ts";
import settings from "../../organisation.json" with { type: "json" };
import { listPages, renderNotFound, renderPage } from "./rendering/render.tsx";

const organisation = Organisation.parse(settings);
const site = siteFrame(organisation, { enhancements: { carousel: "/c.js", gallery: "/g.js" } });
const policies = ["/privacy", "/refunds", "/terms", "/accessibility"];
const policy: WrittenPage = {
  title: "Privacy policy",
  description: "What {name} collects and why.",
  html: "<p>What we keep</p>",
  picture: null,
  links: [],
  updatedAt: new Date("2026-11-21T20:00:00Z"),
};

const introduction = { lede: "Write to us.", description: "How to reach {name}." };

const parse = (html: string) => new DOMParser().parseFromString(html, "text/html");
function render(path: string, data: unknown): Document {
  return parse(renderPage(listPages().find((row) => row.path === path)!, path, data, site));
}
const linksOf = (root: ParentNode | null) =>
  [...(root?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"));

test("PAGE-9: the footer of every page links the policies, an error page's too", () => {
  for (const page of [render("/privacy", policy), parse(renderNotFound(site))]) {
    expect(linksOf(page.querySelector("footer .legal"))).toEqual(policies);
  }
});

test("CON-14: a policy's window title and last breadcrumb are its own title", () => {
  const page = render("/privacy", { ...policy, title: "Your data" });
  expect(page.title).toBe(`Your data | ${organisation.name}`);
  expect(page.querySelector(".crumbs [aria-current=page]")?.textContent).toBe("Your data");
});

test("PAGE-9: a policy says when it was changed, links the others, and asks for no donation", () => {
  const page = render("/privacy", policy);
  expect(page.querySelector("main .changed")?.textContent).toBe("Last changed on 22\u00a0November\u00a02026");
  expect(linksOf(page.querySelector("main aside"))).toEqual(policies);
  expect(page.querySelector("aside [aria-current=page]")?.getAttribute("href")).toBe("/privacy");
  expect(page.querySelector("main [data-donate]")).toBeNull();
});

test("PAGE-9: every form that collects personal data says how it is used, with the policy in a new tab", () => {
  const captcha = { provider: "altcha", siteKey: "" };
  const places = { countries: [], statesOf: "Australia", states: [] };
  const user = {
    id: 7,
    email: "a@example.com",
    firstName: "A",
    lastName: "B",
    mobile: "61412345678",
    country: "Australia",
    state: "New South Wales",
    postcode: "2144",
    city: "",
    preferredContact: "Email",
    emailVerifiedAt: null,
  };
  const forms: readonly (readonly [string, unknown])[] = [
    ["/contact", { captcha, introduction }],
    ["/register", { captcha, places }],
    ["/volunteer", { captcha, places, introduction }],
    ["/login", {}],
    ["/donation", {}],
    ["/edit-profile", { user, data: { places, parsed: { dialCode: "61", mobile: "412345678" } } }],
  ];
  for (const [path, data] of forms) {
    const note = render(path, data).querySelector("main .legal-note");
    expect(note?.textContent, path).toContain("We use what you enter as described in our privacy policy");
    expect(linksOf(note), path).toEqual(["/privacy"]);
    expect(note?.querySelector("a")?.target, path).toBe("_blank");
  }
});

test("PAGE-9: the refund policy and the terms are linked beside the pay buttons of donations and tickets", () => {
  const block = parse(renderToStaticMarkup(<TrustBlock payee={organisation} method="cc" />));
  expect(linksOf(block.querySelector(".legal-note"))).toEqual(["/privacy", "/refunds", "/terms"]);
});
