// @vitest-environment jsdom
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { dinner, offer, standard, vip } from "#test/pages/tickets.ts";
import type { TicketEvent } from "../../contract.ts";
import { TicketFacts } from "../ticket-head.tsx";
import { AboutPage } from "./about-page.tsx";

afterEach(cleanup);

const open = (changes: Partial<TicketEvent> = {}, event = dinner) =>
  render(
    <AboutPage
      event={event}
      offer={{ ...offer, ...changes }}
      brand={<a href="/">Chashma</a>}
      about={<p>The menu</p>}
    />,
  );
const tickets = () => within(screen.getByRole("region", { name: "Tickets" }));
const hrefOf = (name: string) => screen.queryByRole("link", { name })?.getAttribute("href");
const words = () => document.body.textContent?.replace(/\s+/g, " ");

test("TIC-1: the page has the title, the text, date and time with the offset, the place, Book and Contact", () => {
  open();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Charity dinner & music");
  expect(words()).toContain("Saturday 27 April 2024 8:00 PM to 11:00 PM (UTC+05)");
  expect(words()).toContain("Online: access details come from the organiser");
  const about = within(screen.getByRole("region", { name: "About the event" }));
  expect(about.getByText("An evening of stories.")).toBeDefined();
  expect(about.getByText("The menu")).toBeDefined();
  expect(hrefOf("Book tickets")).toBe("/selectTickets?event=charity-dinner");
  expect(hrefOf("Contact the organiser")).toBe("/contact?subject=Charity%20dinner%20%26%20music");
  expect(hrefOf("Add to your calendar")).toBe("/events/charity-dinner/calendar.ics");
});

test("EVT-6: whoever followed a link that shows a type takes its key along", () => {
  open({ access: "secret-door" });
  expect(hrefOf("Book tickets")).toBe("/selectTickets?event=charity-dinner&key=secret-door");
});

test("TIC-1: a reader in another time zone can see their own time, as on the event's page", () => {
  open();
  expect(document.querySelector("[data-enhance=your-time] time")?.getAttribute("datetime")).toBe(
    "2024-04-27T20:00:00+05:00",
  );
});

test("TIC-1: each type shows its price, and how many are left only when few are", () => {
  open({ types: [vip, standard, { ...standard, code: "student", title: "Student", state: "sold_out", left: 0 }] });
  const said = tickets()
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
  expect(said).toEqual([
    "VIP Seat$100.00Front tables.12 left",
    "Standard Seat$50.00A shared table.",
    "Student$50.00A shared table.Sold out",
  ]);
});

test("WAIT-1: a sold-out event leads to the waiting list of each type", () => {
  const soldOut = { state: "sold_out", left: 0 } as const;
  open({
    state: "sold_out",
    types: [
      { ...vip, ...soldOut },
      { ...standard, ...soldOut },
    ],
  });
  expect(words()).toContain("join the waiting list for VIP Seat, join the waiting list for Standard Seat.");
  expect(hrefOf("join the waiting list for VIP Seat")).toMatch(/^\/waiting-list\?event=[a-z-]+&type=vip$/);
});

test("TIC-1: with one type sold out and another not on sale yet, the page says from when there are more tickets", () => {
  open({
    state: "sold_out",
    types: [
      { ...vip, state: "sold_out", left: 0 },
      { ...standard, state: "not_yet", salesFrom: "2024-04-20T04:00:00Z", priceCents: 0 },
    ],
  });
  const said = "Sold out for now. More tickets can be booked here from Saturday 20 April 2024 9:00 AM (UTC+05).";
  expect(words()).toContain(said);
  expect(words()).not.toContain("Every seat is sold");
  expect(hrefOf("join the waiting list for VIP Seat")).toBeDefined();
  expect(tickets().getAllByRole("listitem")[1]!.textContent).toContain("Standard SeatFree");
});

const calledOffAt = new Date("2024-04-20T04:00:00Z");

test.each([
  ["sold_out", dinner, "Sold out. Every seat is sold, or held for someone."],
  ["not_yet", dinner, "Tickets can be booked here from Saturday 20 April 2024 9:00 AM (UTC+05)."],
  ["closed", dinner, "Booking has closed. Please ask the organiser"],
  ["stopped", dinner, "Tickets are not on sale at the moment. Tickets that people have are valid."],
  ["called_off", { ...dinner, calledOffAt }, "This event has been called off. Whoever has a ticket gets an email"],
  ["over", { ...dinner, isOver: true }, "This event has ended. Tickets are no longer on sale. See what is coming up."],
] as const)("TIC-1, EVT-11: when sales are %s nobody can book, and the page says what to do", (state, event, text) => {
  const types = [{ ...vip, state: "not_yet" as const, salesFrom: "2024-04-20T04:00:00Z" }];
  open({ state, ...(state === "not_yet" ? { types } : {}) }, event);
  expect(hrefOf("Book tickets")).toBeUndefined();
  expect(words()).toContain(text);
  expect(hrefOf("Contact the organiser")).toBeDefined();
});

test("TIC-1: a past event shows neither prices nor a calendar link, and links to coming events", () => {
  open({ state: "over" }, { ...dinner, isOver: true });
  expect(tickets().queryAllByRole("listitem")).toEqual([]);
  expect(hrefOf("Add to your calendar")).toBeUndefined();
  expect(hrefOf("See what is coming up.")).toBe("/events");
});

test("PAGE-11, TIC-2: the choice of tickets shows the time in Sydney too", () => {
  render(<TicketFacts event={dinner} />);
  expect(words()).toContain("Sydney time: Sunday 28 April 2024 1:00 AM to 4:00 AM (UTC+10)");
});
