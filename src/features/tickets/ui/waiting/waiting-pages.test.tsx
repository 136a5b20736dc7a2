// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { dinner, offer, vip } from "#test/pages/tickets.ts";
import { WaitingListPage } from "./waiting-pages.tsx";
import { WaitingPlace } from "./waiting-place.tsx";

afterEach(cleanup);

const hrefOfTickets = () => screen.getByRole("link", { name: "See the tickets of this event" }).getAttribute("href");
const withKey = "/selectTickets?event=charity-dinner&key=opensesame";

test("EVT-6: from a waiting list to the tickets, the key of the link that shows them goes along", () => {
  const page = { event: dinner, type: vip, organisation: { phone: "02 9000 1111" }, brand: null, form: null };
  render(<WaitingListPage {...page} offer={{ access: "opensesame" }} />);
  expect(hrefOfTickets()).toBe(withKey);
  cleanup();
  const { slug, title, when, place } = offer;
  const entry = { id: "1", key: "key", event: { slug, title, when, place }, ticket: "VIP Seat", quantity: 1 };
  const ended = { ...entry, email: "amina@example.com", offerHours: 24, state: "ended" } as const;
  render(<WaitingPlace entry={{ ...ended, access: "opensesame" }} />);
  expect(hrefOfTickets()).toBe(withKey);
});
