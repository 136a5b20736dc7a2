// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import type { HomeContent } from "#features/content/content.ts";
import { placeholderBadge } from "#shared/images/brand-frame.ts";
import { Organisation } from "#shared/organisation.ts";
import { deliveredHomeTexts } from "#test/pages/home-texts.ts";
import { siteFrame } from "#test/pages/site-frame.ts";
import settings from "../../../organisation.json" with { type: "json" };
import { listPages, renderFailure, renderNotFound, renderPage, type SiteFrame } from "./render.tsx";

const organisation = Organisation.parse({
  ...settings,
  name: "Marigold Trust",
  slug: "marigold",
  phone: "02 9000 1111",
});
const site = siteFrame(organisation, {
  stylesheets: ["/site.css"],
  scripts: ["/shell.js"],
  enhancements: { carousel: "/car.js", gallery: "/gallery.js", "login-start": "/login-start.js", banner: "/banner.js" },
});

const drawn = (address: string) => ({ address, width: 800, height: 600, color: null, widths: [] });
const full: HomeContent = {
  texts: deliveredHomeTexts,
  message: { title: "A spring", text: "Water <for> all.", picture: drawn("/c.svg") },
  causes: [
    { title: "Patient Care", description: `${"a".repeat(60)}b`, picture: drawn("/1.svg") },
    { title: "Orchards", description: "a".repeat(60), picture: drawn("/2.svg") },
  ],
  testimonials: [{ title: "Amina Raza", picture: drawn("/t.svg") }],
  news: [
    { slug: "a-pump", title: "A pump", excerpt: "n".repeat(101), picture: drawn("/n.svg"), date: "2026-10-14" },
    { slug: "kits", title: "Kits", excerpt: "n".repeat(100), picture: drawn("/k.svg"), date: "2026-10-02" },
  ],
  gallery: [{ title: "Class", picture: drawn("/g.svg") }],
  takenDown: [],
};
const empty: HomeContent = {
  texts: deliveredHomeTexts,
  message: null,
  causes: [],
  testimonials: [],
  news: [],
  gallery: [],
  takenDown: [],
};

function render(path: string, data: unknown = undefined): Document {
  const page = listPages().find((row) => row.path === path)!;
  return parse(renderPage(page, path, data, site));
}
const parse = (html: string) => new DOMParser().parseFromString(html, "text/html");
const textOf = (element: Element | null) => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
const links = (root: ParentNode | null) =>
  [...(root?.querySelectorAll("a") ?? [])].map((link) => [textOf(link), link.getAttribute("href")]);

test("PERF-18: header, menu and footer are drawn once for each entry of the menu, and again once the site changes", () => {
  let headers = 0;
  const organisationCounted = {
    ...organisation,
    get brand() {
      headers += 1;
      return organisation.brand;
    },
  };
  const counted = { ...site, organisation: organisationCounted };
  const countWhile = (work: () => void) => {
    const before = headers;
    work();
    return headers - before;
  };
  const currentOf = (html: string) => parse(html).querySelector(".main-nav [aria-current]")?.getAttribute("href");
  const home = listPages().find(({ path }) => path === "/")!;

  expect(currentOf(renderNotFound(counted))).toBeUndefined();
  expect(currentOf(renderPage(home, "/", full, counted))).toBe("/");
  expect(countWhile(() => expect(currentOf(renderNotFound(counted))).toBeUndefined())).toBe(0);
  expect(countWhile(() => expect(renderNotFound({ ...counted, year: 2031 })).toContain("2031"))).toBeGreaterThan(0);
  expect(renderNotFound(counted)).not.toContain("2031");
  const renamed = { ...organisation, phone: "02 9000 2222" };
  expect(renderNotFound({ ...site, organisation: renamed })).toContain('href="tel:0290002222"');
});

test("PERF-20: the delivered mark and the demo's badge are drawn in the page", () => {
  const home = listPages().find(({ path }) => path === "/")!;
  const page = parse(renderPage(home, "/", full, { ...site, brand: { ...site.brand, badge: placeholderBadge } }));
  expect(page.querySelectorAll(".site-head .brand svg.on-light path")).toHaveLength(4);
  expect(page.querySelectorAll(".site-head .brand svg.on-dark path")).toHaveLength(4);
  expect(page.querySelectorAll("footer .brand svg.on-dark path")).toHaveLength(4);
  expect(page.querySelectorAll("footer .float-badge svg circle")).toHaveLength(2);
  expect(page.querySelectorAll("svg title, img[src^='data:']")).toHaveLength(0);
});

describe("a banner", () => {
  const appeal = {
    key: "7-2026-11-24T07:00:00",
    text: "Ramadan <appeal>",
    link: { label: "Give now", address: "/donation" },
  };
  const renderWith = (path: string, banner: SiteFrame["banner"], data: unknown = {}) =>
    parse(renderPage(listPages().find((row) => row.path === path)!, path, data, { ...site, banner }));

  test("BAN-3: it is above the header, in its own direction, with a script that runs before the first paint", () => {
    const page = renderWith("/", appeal, full);
    const line = page.querySelector("aside[aria-label=Announcement]")!;
    expect(line.nextElementSibling).toBe(page.querySelector("header"));
    expect(textOf(line)).toBe("Ramadan <appeal> Give now");
    expect(line.querySelector("p")?.getAttribute("dir")).toBe("auto");
    expect(links(line)).toEqual([["Give now", "/donation"]]);
    const script = page.querySelector<HTMLElement>("head script[src='/banner.js']")!;
    expect([script.dataset.banner, script.hasAttribute("type"), script.hasAttribute("defer")]).toEqual([
      appeal.key,
      false,
      false,
    ]);
  });

  test("BAN-3: without one a page has no more than before", () => {
    const page = renderWith("/", null, full);
    expect(page.querySelector("aside[aria-label=Announcement], script[src='/banner.js']")).toBeNull();
  });

  test("BAN-3: it is on no page that takes payments, nor on the steps to tickets", () => {
    const payers = listPages().filter(({ takesPayments, hasHeader }) => takesPayments || hasHeader === false);
    expect(payers.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/donation", "/ticketAbout", "/selectTickets", "/ticketsCheckout"]),
    );
    for (const page of payers) {
      const drawn = renderPage(
        { ...page, head: () => ({ title: "T", description: "D" }), body: () => <p /> },
        page.path,
        {},
        {
          ...site,
          banner: appeal,
        },
      );
      expect(drawn, page.path).not.toContain("Announcement");
      expect(drawn, page.path).not.toContain("/banner.js");
    }
  });
});

describe("a page that was taken down", () => {
  test("CON-12: the card of its cause stands on the home page without a link", () => {
    const cardOf = (takenDown: readonly string[]) =>
      links(render("/", { ...full, takenDown }).querySelector(".causes .card h3"));
    expect(cardOf([])).toEqual([["Patient Care", "/patient-care"]]);
    expect(cardOf(["/patient-care"])).toEqual([]);
  });

  test("CON-12: a list of which nothing is left has neither a group in the menu nor a column in the footer", () => {
    const row = listPages().find(({ path }) => path === "/")!;
    const page = parse(renderPage(row, "/", full, { ...site, menus: { services: [], foot_services: [] } }));
    expect(textOf(page.querySelector(".main-nav"))).not.toContain("Services");
    expect(textOf(page.querySelector("footer"))).not.toContain("Services");
    expect(textOf(page.querySelector("footer"))).toContain("Organisation");
  });
});

describe("the frame of every page", () => {
  const page = render("/", full);

  test("LAY-1, LAY-5: the header has volunteering, helpline, e-mail, address, socials, Donate and the way to log in", () => {
    const header = page.querySelector("header")!;
    expect(links(header)).toContainEqual(["Become a volunteer", "/volunteer"]);
    expect(header.querySelector("a[href='tel:0290001111']")).not.toBeNull();
    expect(header.querySelector(`a[href='mailto:${organisation.email}']`)).not.toBeNull();
    expect(textOf(header)).toContain("NSW 2144");
    const named = [...header.querySelectorAll("a[aria-label]")].map((link) => link.getAttribute("aria-label"));
    expect(named).toEqual(["Facebook", "Instagram", "YouTube", "Log in"]);
  });

  test("NAV-4: the menu has its entries and groups in the right order", () => {
    const entries = [...page.querySelectorAll(".main-nav > ul > li > :is(a, button)")].map(textOf);
    expect(entries).toEqual(["Home", "Organisation", "Services", "Marigold World", "Events", "Gallery"]);
    expect([...page.querySelectorAll("#menu-services a")].map(textOf)).toEqual([
      "Ambulance Fund",
      "Fight Against Hunger",
      "Home and Orphanage",
      "Patient Care",
      "Rehabilitation Center",
      "Flood Relief",
    ]);
    expect(page.querySelector(".main-nav [aria-current=page]")?.getAttribute("href")).toBe("/");
  });

  test("NAV-5, NAV-6: Donate leads to the donation, and the user icon to the log-in", () => {
    const donate = links(page).filter(([text]) => text === "Donate");
    expect(donate).toEqual(Array(3).fill(["Donate", "/donation"]));
    expect(page.querySelector("[aria-label='Log in']")?.getAttribute("href")).toBe("/login");
  });

  test("LAY-4: the menu panel is a dialog that its buttons open and close without a script", () => {
    expect(page.querySelector("dialog#menu")?.getAttribute("aria-label")).toBe("Menu");
    const commands = [...page.querySelectorAll("[commandfor=menu]")].map((button) => button.getAttribute("command"));
    expect(commands).toEqual(["show-modal", "close"]);
  });

  test("LAY-3, LAY-6: the footer links the pages and the apps' stores, and the badge links the register", () => {
    const footer = links(page.querySelector("footer")).map(([, path]) => path);
    for (const path of [
      "/vision",
      "/patient-care",
      "/marigold-world",
      "/news",
      "/contact",
      organisation.apps.googlePlay,
    ]) {
      expect(footer).toContain(path);
    }
    const badge = page.querySelector(".float-badge")!;
    expect([badge.getAttribute("href"), badge.getAttribute("aria-label")]).toEqual([
      organisation.registration.url,
      organisation.registration.label,
    ]);
  });

  test("LAY-3: the brand's own badge is shown, and without one the footer links the register in words", () => {
    const home = listPages().find((row) => row.path === "/")!;
    const footerWith = (badge: string | null) =>
      parse(renderPage(home, "/", full, { ...site, brand: { ...site.brand, badge } })).querySelector("footer")!;
    expect(footerWith("/brand/badge-1.webp").querySelector(".float-badge img")?.getAttribute("src")).toBe(
      "/brand/badge-1.webp",
    );
    const bare = footerWith(null);
    expect(bare.querySelector(".float-badge")).toBeNull();
    expect(links(bare)).toContainEqual([organisation.registration.label, organisation.registration.url]);
  });

  test("LAY-10: another organisation's file changes every name on the page", () => {
    expect(textOf(page.querySelector("footer"))).toContain("© 2026 Marigold Trust");
    expect(page.title).toContain("Marigold Trust");
    expect(page.querySelector("link[rel=canonical]")?.getAttribute("href")).toBe("https://give.example/");
  });

  test("REL-4: nothing on any page is inline script, inline style or a handler, which its policy would refuse", () => {
    for (const html of [page, render("/login"), render("/donation"), parse(renderFailure("AB12CD34", site))]) {
      expect(
        html.querySelector("script:not([src], [type='application/ld+json'], [type='importmap']), style, [style]"),
      ).toBeNull();
      const attributes = [...html.querySelectorAll("*")].flatMap((element) => element.getAttributeNames());
      expect(attributes.filter((name) => name.startsWith("on"))).toEqual([]);
      expect(html.querySelectorAll("h1")).toHaveLength(1);
    }
  });
});

describe("home", () => {
  const page = render("/", full);

  test("HOME-1, HOME-2, HOME-9: banner, gift cards and tiles lead where they should", () => {
    const hero = page.querySelector(".hero")!;
    expect(textOf(hero)).toBe("Helping Today. Shaping TomorrowGive a child the Gift of EducationDonate Now");
    expect(links(hero)).toEqual([["Donate Now", "/donation"]]);
    expect(links(page.querySelector(".donation-cards"))).toEqual([
      ["Donate to Schools and Dastarkhwan", "/donation?cause=education"],
      ["Donate to Hospitals and Clinics", "/donation?cause=patient-care"],
      ["Donate to Homes", "/donation?cause=homes"],
    ]);
    expect(links(page.querySelector(".tiles"))).toEqual([
      ["Become a volunteer", "/volunteer"],
      ["Quick fundraising", "/contact?subject=Quick%20fundraising"],
      ["Start donating", "/donation"],
    ]);
  });

  test("HOME-3: the about block shows the chairman's message, escaped", () => {
    expect(textOf(page.querySelector(".about"))).toContain("A spring");
    expect(textOf(page.querySelector(".about .lede"))).toBe("Water <for> all.");
  });

  test("HOME-4, HOME-5, HOME-6: a card's title is its link, and only a text over 60 characters gets a toggle", () => {
    const [known, unknown] = page.querySelectorAll(".causes .card");
    expect(links(known!)).toEqual([["Patient Care", "/patient-care"]]);
    expect(textOf(known!.querySelector(".cut"))).toBe(`${"a".repeat(60)}...`);
    expect(textOf(known!.querySelector("summary"))).toBe("Read MoreRead Less about Patient Care");
    expect(known!.querySelector("h3 summary, a summary")).toBeNull();
    expect(links(unknown!)).toEqual([]);
    expect(unknown!.querySelector("details")).toBeNull();
    expect(page.querySelector(".causes .carousel")?.getAttribute("data-enhance")).toBe("/car.js");
  });

  test("HOME-7: the donors' carousel turns every 10000 ms, and its first control stops it", () => {
    const carousel = page.querySelector(".voices .carousel")!;
    expect(carousel.getAttribute("data-every")).toBe("10000");
    expect(carousel.querySelector("button")?.getAttribute("aria-label")).toBe("Stop slide rotation");
  });

  test("HOME-8, HOME-10: the gallery links the pictures; a news item has date, cut and whole text", () => {
    expect(links(page.querySelector(".pictures"))).toEqual([["Class", "/gallery"]]);
    expect(textOf(page.querySelector(".news time"))).toBe("14 October 2026");
    expect(textOf(page.querySelector(".news .cut"))).toBe(`${"n".repeat(100)}...`);
    expect(page.querySelectorAll(".news details")).toHaveLength(1);
    expect(links(page.querySelector(".news"))).toEqual([
      ["All news and articles", "/news"],
      ["A pump", "/news/a-pump"],
      ["Kits", "/news/kits"],
    ]);
  });

  test("HOME-1: the banner's picture comes first, and pictures below the fold load lazily", () => {
    const [first, ...rest] = page.querySelectorAll<HTMLImageElement>("main img[fetchpriority=high]");
    expect([first?.closest(".hero") !== null, rest.length]).toEqual([true, 0]);
    for (const block of [".about", ".causes", ".voices", ".gallery-block", ".tiles", ".news"]) {
      for (const image of page.querySelectorAll(`${block} img`)) expect(image.getAttribute("loading")).toBe("lazy");
    }
  });

  test("HOME-8, HOME-12: a block without content is left out, and the gallery shows its mosaic", () => {
    const bare = render("/", empty);
    for (const block of [".about", ".causes", ".voices", ".news"]) expect(bare.querySelector(block)).toBeNull();
    expect(bare.querySelector(".mosaic")).not.toBeNull();
  });
});

test("LOG-3: the login page offers to continue as a guest, and says what to do without a script", () => {
  const page = render("/login");
  expect(textOf(page.querySelector("h1"))).toBe("Log in, or donate as a guest");
  expect(links(page.querySelector(".guest"))[0]).toEqual(["Continue As a Guest User", "/login/guest"]);
  expect(page.querySelector("noscript")?.innerHTML).toContain(organisation.banks[0]!.bsb);
  expect(page.body.className).toBe("is-form");
});

test("LOG-10: the reset page promises a code only to an address that has an account, and leads a guest to registration", () => {
  const page = render("/reset-password").querySelector("main")!;
  // Also true for somebody who opens the page without having asked for a code.
  expect(textOf(page.querySelector(".lede"))).toBe(
    "Enter the code from our email and choose a new password. Only an address with an account gets a code.",
  );
  expect(links(page)).toContainEqual(["create an account", "/register"]);
});

test("NAV-8: an unknown address gets a helpful page that is not indexed, a failure its incident number", () => {
  const unknown = parse(renderNotFound(site));
  expect(textOf(unknown.querySelector("h1"))).toBe("We couldn’t find that page");
  expect(unknown.querySelector("meta[name=robots]")?.getAttribute("content")).toBe("noindex");
  expect(textOf(parse(renderFailure("AB12CD34", site)).querySelector("main"))).toContain("AB12CD34");
});

test("PIC-9: the home page says the pictures of causes, donors and chairman in the words of staff", () => {
  const alts = (alt?: string) => {
    const inWords = <Shown extends object>(shown: Shown) => ({ ...shown, alt });
    const message = inWords(full.message!);
    const { causes, testimonials } = full;
    const page = render("/", {
      ...full,
      message,
      causes: causes.map(inWords),
      testimonials: testimonials.map(inWords),
    });
    return ["/c.svg", "/1.svg", "/t.svg"].map((src) => page.querySelector(`img[src="${src}"]`)?.getAttribute("alt"));
  };
  expect(alts("In words")).toEqual(Array(3).fill("In words"));
  expect(alts()).toEqual([expect.stringMatching(/^Portrait of the chairman of /), "", ""]);
});
