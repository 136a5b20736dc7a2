// @vitest-environment jsdom
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import type { EventDetails } from "#shared/events/event.ts";
import { showYourTime } from "#shared/events/ui/your-time.ts";
import { dinner } from "#test/pages/tickets.ts";
import { EventPage } from "./event-page.tsx";
import { EventsPage } from "./events-page.tsx";

const campaign: EventDetails = {
  ...dinner,
  slug: "flood-relief-campaign",
  title: "Flood relief campaign",
  startsAt: new Date("2022-08-27T14:00:00Z"),
  endsAt: new Date("2022-08-28T14:00:00Z"),
  timeZone: "Australia/Sydney",
  isAllDay: true,
  place: "Across Australia",
  isOnline: false,
  isOver: true,
  calledOffAt: null,
};
const trail = [{ label: "Home", path: "/" }, { label: "Events", path: "/events" }, { label: "Charity dinner & music" }];

function draw(page: ReactElement): Document {
  return new DOMParser().parseFromString(renderToStaticMarkup(page), "text/html");
}
const textOf = (element: Element | null | undefined) => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
const linkNamed = (page: Document, name: string) =>
  [...page.querySelectorAll("a")].find((link) => textOf(link) === name)?.getAttribute("href");
const drawList = (items: readonly EventDetails[], more: { next?: string; isFirst?: boolean } = {}) =>
  draw(
    <EventsPage
      events={{ items, next: more.next ?? null }}
      lede="Come along."
      isFirst={more.isFirst ?? true}
      trail={trail}
    />,
  );

test("PAGE-5: the list shows upcoming events first, then past ones, each with its date and place", () => {
  const page = drawList([dinner, campaign]);
  expect([...page.querySelectorAll("h2")].map(textOf)).toEqual(["Upcoming", "Past"]);
  const [first, second] = page.querySelectorAll("li.event-card");
  expect(textOf(first?.querySelector(".event-when"))).toContain("Saturday 27 April 2024 8:00 PM to 11:00 PM (UTC+05)");
  expect(textOf(first)).toContain("Online: access details come from the organiser");
  expect(first?.querySelector("h3 a")?.getAttribute("href")).toBe("/events/charity-dinner");
  expect(textOf(second?.querySelector(".event-when"))).toBe("28 August 2022");
  expect(second?.querySelector("time")?.getAttribute("datetime")).toBe("2022-08-28");
});

test("LANG-4: what staff write about an event is shown in its own direction, in the list and on its page", () => {
  const typed = { title: "خیراتی عشائیہ (۲۰۲۷)!", summary: "کہانیوں کی ایک شام.", createdBy: "عائشہ" };
  const event = { ...dinner, ...typed };
  for (const page of [drawList([event]), draw(<EventPage event={event} trail={trail} />)]) {
    for (const text of Object.values(typed)) {
      const shown = [...page.querySelectorAll("*")].filter((one) => one.textContent === text);
      expect(shown.at(-1)?.closest("[dir=auto], bdi"), text).toBeTruthy();
    }
  }
});

test("PAGE-5: each card of the list names who created the event", () => {
  const cards = [...drawList([dinner, campaign]).querySelectorAll("li.event-card")];
  expect(cards.map((card) => textOf(card.querySelector(".body > :last-child")))).toEqual([
    "Created by admin",
    "Created by admin",
  ]);
});

test("PAGE-11: if an event is in another time zone, its card and page show its Sydney time too", () => {
  const there = "Sydney time: Sunday 28 April 2024 1:00 AM to 4:00 AM (UTC+10)";
  for (const page of [drawList([dinner]), draw(<EventPage event={dinner} trail={trail} />)]) {
    expect(textOf(page.querySelector(".event-when .sydney-time"))).toBe(there);
  }
  const here = { ...dinner, timeZone: "Australia/Melbourne" };
  expect(drawList([here, campaign]).querySelector(".sydney-time")).toBeNull();
});

test("PAGE-5: without upcoming events the list says so and suggests what to do; a later page does not", () => {
  const page = drawList([campaign]);
  expect(textOf(page.querySelector("section .empty"))).toContain("No events are planned at the moment.");
  expect(linkNamed(page, "Become a volunteer")).toBe("/volunteer");
  const later = drawList([campaign], { isFirst: false });
  expect([...later.querySelectorAll("h2")].map(textOf)).toEqual(["Past"]);
  expect(textOf(drawList([], { isFirst: false }).querySelector(".events"))).toContain("There are no more events.");
});

test("PAGE-5: a long list links the next page, and later pages link the newest", () => {
  const page = drawList([campaign], { next: "over_2022-08-28T14:00:00.000Z_7" });
  expect(linkNamed(page, "More events")).toBe("/events?after=over_2022-08-28T14%3A00%3A00.000Z_7");
  expect(linkNamed(page, "Back to the newest events")).toBeUndefined();
  expect(linkNamed(drawList([campaign], { isFirst: false }), "Back to the newest events")).toBe("/events");
});

test("PAGE-5: an event's page says when, where and by whom, and links calendar and organiser", () => {
  const page = draw(<EventPage event={dinner} trail={trail} />);
  expect(textOf(page.querySelector("h1"))).toBe("Charity dinner & music");
  expect([...page.querySelectorAll("nav.crumbs li")].map(textOf)).toEqual(["Home", "Events", "Charity dinner & music"]);
  expect([...page.querySelectorAll("time")].map(({ dateTime }) => dateTime)).toEqual([
    "2024-04-27T20:00:00+05:00",
    "2024-04-27T23:00:00+05:00",
    "2024-04-28T01:00:00+10:00",
    "2024-04-28T04:00:00+10:00",
  ]);
  expect(textOf(page.querySelector(".event-where"))).toBe("Online: access details come from the organiser");
  expect(textOf(page.body)).toContain("Created by admin");
  expect(textOf(page.body)).not.toContain("is over");
  expect(textOf(page.querySelector(".prose h2"))).toBe("The menu");
  expect(linkNamed(page, "Add to your calendar")).toBe("/events/charity-dinner/calendar.ics");
  expect(linkNamed(page, "Contact the organiser")).toBe("/contact?subject=Charity%20dinner%20%26%20music");
});

test("PAGE-5, TIC-1: an event with tickets on sale links them with their price, and with no number that changes", () => {
  const booking = { href: "/ticketAbout?event=charity-dinner", price: "From $50.00 a ticket", isStopped: false };
  const page = draw(<EventPage event={dinner} trail={trail} booking={booking} />);
  expect(linkNamed(page, "Book tickets")).toBe("/ticketAbout?event=charity-dinner");
  expect(textOf(page.querySelector("aside"))).toContain("From $50.00 a ticket");
  expect(linkNamed(draw(<EventPage event={dinner} trail={trail} />), "Book tickets")).toBeUndefined();
});

test("EVT-9: while calling off an event waits for approval, its page offers no tickets and says why", () => {
  const booking = { href: "/ticketAbout?event=charity-dinner", price: "From $50.00 a ticket", isStopped: true };
  const page = draw(<EventPage event={dinner} trail={trail} booking={booking} />);
  expect(linkNamed(page, "Book tickets")).toBeUndefined();
  expect(textOf(page.querySelector("aside"))).toContain("Tickets are not on sale at the moment.");
  expect(textOf(page.querySelector("aside"))).not.toContain("$50.00");
});

test("PAGE-5: the page of a past event says so and offers no calendar", () => {
  const page = draw(<EventPage event={campaign} trail={trail} />);
  expect(textOf(page.querySelector(".is-over"))).toBe("This event has ended.");
  expect(linkNamed(page, "Add to your calendar")).toBeUndefined();
  expect(page.querySelector("[data-enhance]")).toBeNull();
});

/** What the script adds for a visitor in `timeZone`, which is `minutesAhead` of UTC. */
function yourTime(timeZone: string, minutesAhead: number): string {
  vi.spyOn(Date.prototype, "getTimezoneOffset").mockReturnValue(-minutesAhead);
  const options = { ...Intl.DateTimeFormat().resolvedOptions(), timeZone };
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue(options);
  const when = draw(<EventPage event={dinner} trail={trail} />).querySelector<HTMLElement>("[data-enhance=your-time]")!;
  showYourTime(when);
  return textOf(when.querySelector(".your-time"));
}

test("PAGE-5: somebody whose clock differs reads the hours by it too; others read nothing twice", () => {
  expect(yourTime("Asia/Karachi", 300)).toBe("");
  expect(yourTime("Australia/Sydney", 600)).toBe("");
  const inPerth = "Saturday 27 April 2024 11:00 PM to Sunday 28 April 2024 2:00 AM (UTC+08)";
  expect(yourTime("Australia/Perth", 480)).toBe(`In your time: ${inPerth}`);
});

test("EVT-11: an event that was called off says so in the list and on its page, without a calendar entry", () => {
  const calledOff = { ...dinner, calledOffAt: new Date("2024-04-20T04:00:00Z") };
  expect(textOf(drawList([calledOff]).querySelector("li.event-card"))).toContain("This event has been called off.");
  const page = draw(<EventPage event={calledOff} trail={trail} />);
  expect(textOf(page.querySelector(".event-facts"))).toContain("This event has been called off.");
  expect(textOf(page.querySelector("aside"))).toContain("Whoever has a ticket gets an email and their money back.");
  expect(linkNamed(page, "Add to your calendar")).toBeUndefined();
});
