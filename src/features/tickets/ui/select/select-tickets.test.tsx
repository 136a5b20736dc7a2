// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerCalls, dinner, heldOrder, offer, standard, vip } from "#test/pages/tickets.ts";
import type { TicketEvent } from "../../contract.ts";
import { findDraft, keepDraft } from "../draft-storage.ts";
import { SelectPage } from "../select-page.tsx";
import { SelectTickets } from "./select-tickets.tsx";

beforeEach(() => {
  sessionStorage.clear();
  document.title = "Select tickets";
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const CHECKOUT = "/ticketsCheckout?event=charity-dinner";
function open(changes: Partial<TicketEvent> = {}) {
  const goTo = vi.fn();
  render(<SelectTickets offer={{ ...offer, ...changes }} goTo={goTo} />);
  return goTo;
}
const stepper = (title: string) => screen.getByRole<HTMLInputElement>("textbox", { name: `${title} quantity` });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const type = (title: string, value: string) => {
  fireEvent.change(stepper(title), { target: { value } });
  fireEvent.blur(stepper(title));
};
const total = () => screen.getAllByRole("status").at(-1)?.textContent;
const chosen = () => findDraft("charity-dinner")?.lines;
const next = () => screen.getByRole("button", { name: "Next" });
const described = (element: HTMLElement) =>
  (element.getAttribute("aria-describedby")?.split(" ") ?? [])
    .map((id) => document.getElementById(id)?.textContent)
    .join(" ");
const draft = { event: "charity-dinner", buyer: { email: "amina@example.com" }, method: "pp" as const };

test("TIC-2: VIP Seat costs $100.00 and Standard Seat $50.00; each has a stepper at 0, and the total follows", () => {
  open();
  expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    "VIP Seat",
    "Standard Seat",
  ]);
  expect([stepper("VIP Seat").value, stepper("Standard Seat").value]).toEqual(["0", "0"]);
  expect(total()).toBe("No tickets $0.00 AUD, no fees added");
  press("Add one VIP Seat");
  expect(total()).toBe("1 ticket $100.00 AUD, no fees added");
  type("Standard Seat", "3");
  expect(total()).toBe("4 tickets $250.00 AUD, no fees added");
  press("Remove one VIP Seat");
  expect(total()).toBe("3 tickets $150.00 AUD, no fees added");
});

test("TIC-2: Back leads to the event, Next to the checkout once a ticket is chosen, and the choice is kept", () => {
  const goTo = open();
  expect(screen.getByRole("link", { name: "Back" }).getAttribute("href")).toBe("/ticketAbout?event=charity-dinner");
  type("Standard Seat", "2");
  press("Next");
  expect(goTo).toHaveBeenCalledExactlyOnceWith(CHECKOUT);
  expect(chosen()).toEqual([{ type: "standard", quantity: 2 }]);
});

test("TIC-2: without a ticket Next can be focused, stays on the page, and says to choose at least one", () => {
  const goTo = open();
  expect([next().hasAttribute("disabled"), next().getAttribute("aria-disabled")]).toEqual([false, "true"]);
  press("Next");
  expect(goTo).not.toHaveBeenCalled();
  expect(document.activeElement?.getAttribute("role")).toBe("alert");
  fireEvent.click(screen.getByRole("link", { name: "Choose at least one ticket" }));
  expect(document.activeElement).toBe(stepper("VIP Seat"));
  expect(document.title).toBe("Error: Select tickets");
  press("Add one VIP Seat");
  expect([screen.queryByRole("alert"), document.title]).toEqual([null, "Select tickets"]);
  press("Next");
  expect(goTo).toHaveBeenCalledExactlyOnceWith(CHECKOUT);
});

test("TIC-2, LAY-12: a quantity above the order's limit or the seats left stays as typed, and field, total and Next explain it", () => {
  const goTo = open({ types: [vip, { ...standard, left: 3 }] });
  type("VIP Seat", "1000");
  const text = "At most 10 VIP Seat tickets in one order";
  expect([stepper("VIP Seat").value, stepper("VIP Seat").getAttribute("aria-invalid")]).toEqual(["1000", "true"]);
  expect(described(stepper("VIP Seat"))).toBe(`Error: ${text}`);
  expect([total(), described(next())]).toEqual([text, text]);
  press("Next");
  expect(goTo).not.toHaveBeenCalled();
  expect(screen.getByRole("link", { name: text }).getAttribute("href")).toBe("#quantity-vip");
  type("VIP Seat", "10");
  expect([described(stepper("VIP Seat")), total()]).toEqual([text, "10 tickets $1,000.00 AUD, no fees added"]);
  type("Standard Seat", "8");
  expect(stepper("Standard Seat").value).toBe("8");
  expect(described(stepper("Standard Seat"))).toBe("Error: Only 3 Standard Seat tickets left");
  fireEvent.submit(screen.getByRole("form", { name: "Tickets" }));
  expect(goTo).not.toHaveBeenCalled();
  type("Standard Seat", "3");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Add one Standard Seat" }).disabled).toBe(true);
  press("Next");
  expect(goTo).toHaveBeenCalledExactlyOnceWith(CHECKOUT);
});

test.each(["two", "-3", "2.", "1e3"])(
  "TIC-2, LAY-12: '%s' is not a number of tickets; it stays, and does not count as 0",
  (typed) => {
    const goTo = open();
    press("Add one Standard Seat");
    type("VIP Seat", typed);
    const text = "Enter a whole number of VIP Seat tickets, 0 to 10";
    expect([stepper("VIP Seat").value, total(), described(next())]).toEqual([typed, text, text]);
    press("Next");
    expect(goTo).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("link", { name: text }));
    expect(document.activeElement).toBe(stepper("VIP Seat"));
  },
);

test("TIC-2: a sold-out type says so and has no stepper; with nothing on sale there is no Next", () => {
  open({ types: [{ ...vip, state: "sold_out", left: 0 }, standard] });
  expect(screen.getByRole("article", { name: "VIP Seat" }).textContent).toContain("Sold out");
  expect(screen.queryByRole("textbox", { name: "VIP Seat quantity" })).toBeNull();
  cleanup();
  open({ state: "closed", types: [{ ...vip, state: "closed" }] });
  expect(screen.queryByRole("button", { name: "Next" })).toBeNull();
  expect(screen.getByText("No tickets are on sale at the moment.")).toBeDefined();
});

test.each([
  ["over", "This event has ended."],
  ["called_off", "This event has been called off."],
] as const)("TIC-2: an event that is '%s' does not sound as if tickets came later", (state, text) => {
  open({ state, types: [{ ...vip, state: "closed" }] });
  expect(screen.getByText(text)).toBeDefined();
  expect(screen.queryByText(/at the moment/)).toBeNull();
});

test("TIC-2: the choice survives a reload, and so does what is stored for the checkout", () => {
  keepDraft({ ...draft, lines: [{ type: "vip", quantity: 2 }] });
  open();
  expect(stepper("VIP Seat").value).toBe("2");
  press("Add one VIP Seat");
  expect(findDraft("charity-dinner")).toEqual({ ...draft, lines: [{ type: "vip", quantity: 3 }] });
});

test("TIC-2, LAY-12: when fewer are left than were chosen, the choice stays and the page says so", async () => {
  keepDraft({ ...draft, lines: [{ type: "vip", quantity: 9 }] });
  open({ types: [{ ...vip, left: 2 }, standard] });
  await waitFor(() => expect(described(next())).toBe("Only 2 VIP Seat tickets left"));
  expect([stepper("VIP Seat").value, total()]).toEqual(["9", "Only 2 VIP Seat tickets left"]);
});

test("TIC-2, LAY-12: the page says that a chosen type is now sold out and no longer in the order", async () => {
  keepDraft({
    ...draft,
    lines: [
      { type: "vip", quantity: 9 },
      { type: "standard", quantity: 1 },
    ],
  });
  const goTo = open({ types: [{ ...vip, left: 0, state: "sold_out" }, standard] });
  const note = await screen.findByText("VIP Seat is no longer available and is not in your order.");
  expect([note.getAttribute("role"), total()]).toEqual(["status", "1 ticket $50.00 AUD, no fees added"]);
  press("Next");
  expect(goTo).toHaveBeenCalledExactlyOnceWith(CHECKOUT);
  expect(chosen()).toEqual([{ type: "standard", quantity: 1 }]);
});

test("TIC-2: back from the checkout, the buyer's own held seats can be chosen again", async () => {
  const order = { id: heldOrder.id, key: heldOrder.key };
  keepDraft({ ...draft, lines: [{ type: "vip", quantity: 4 }], order });
  const soldOut = { ...offer, state: "sold_out" as const, types: [{ ...vip, state: "sold_out" as const, left: 0 }] };
  const lines = [{ type: "vip", title: "VIP Seat", quantity: 4, priceCents: 10_000 }];
  const calls = answerCalls(({ url }) => ({
    data: url.includes("/ticket-event") ? soldOut : { ...heldOrder, lines, totalCents: 40_000 },
  }));
  open(soldOut);
  expect(await screen.findByDisplayValue("4")).toBe(stepper("VIP Seat"));
  expect(calls.map(({ url }) => url)).toEqual([
    "/api/ticket-event?event=charity-dinner",
    `/api/ticket-orders/${heldOrder.id}?key=the-key`,
  ]);
  expect(described(stepper("VIP Seat"))).toBe("Only 4 VIP Seat tickets left");
  press("Remove one VIP Seat");
  expect(findDraft("charity-dinner")).toMatchObject({ order, lines: [{ type: "vip", quantity: 3 }] });
});

test("WAIT-2: of an offer from the waiting list fewer can be chosen, but no more and no others, and the page says so", async () => {
  const order = { id: heldOrder.id, key: heldOrder.key };
  keepDraft({ ...draft, lines: [{ type: "vip", quantity: 2 }], order });
  const lines = [{ type: "vip", title: "VIP Seat", quantity: 2, priceCents: 10_000 }];
  const own = { ...heldOrder, lines, totalCents: 20_000, holdUntil: "2027-03-04T09:00:00.000Z", isOffer: true };
  answerCalls(({ url }) => ({ data: url.includes("/ticket-event") ? offer : own }));
  open();
  const note = await screen.findByText(/The waiting list has brought you these seats/);
  expect(note.textContent).toMatch(/held until Thursday 4\sMarch\s2027 at 8:00\spm, Sydney time\. You can take fewer/);
  expect(screen.queryByRole("textbox", { name: "Standard Seat quantity" })).toBeNull();
  expect(screen.queryByText(/left$/)).toBeNull();
  type("VIP Seat", "3");
  expect(total()).toBe("At most 2 VIP Seat tickets in one order");
  type("VIP Seat", "1");
  expect(total()).toBe("1 ticket $100.00 AUD, no fees added");
});

test("EVT-9: while sales are stopped no type is said to be gone for good", () => {
  const closed = { state: "closed" as const, left: 5 };
  open({ state: "stopped", types: [{ ...vip, ...closed }] });
  expect(screen.getByText("Not on sale at the moment")).toBeDefined();
  expect(screen.queryByText("No longer on sale")).toBeNull();
});

test("EVT-6: whoever followed a link that shows a type takes its key along to the checkout and back", () => {
  const goTo = open({ access: "secret-door" });
  expect(screen.getByRole("link", { name: "Back" }).getAttribute("href")).toBe(
    "/ticketAbout?event=charity-dinner&key=secret-door",
  );
  type("VIP Seat", "1");
  press("Next");
  expect(goTo).toHaveBeenCalledExactlyOnceWith(`${CHECKOUT}&key=secret-door`);
});

test("EVT-6, WAIT-2: an offer of a type that only a link shows can be changed, because the draft has the link's key", async () => {
  const order = { id: heldOrder.id, key: heldOrder.key };
  keepDraft({ ...draft, lines: [{ type: "vip", quantity: 2 }], order, access: "secret-door" });
  const lines = [{ type: "vip", title: "VIP Seat", quantity: 2, priceCents: 10_000 }];
  const own = { ...heldOrder, lines, totalCents: 20_000, holdUntil: "2027-03-04T09:00:00.000Z", isOffer: true };
  answerCalls(({ url }) => {
    if (!url.includes("/ticket-event")) return { data: own };
    return { data: url.includes("key=secret-door") ? offer : { ...offer, types: [standard] } };
  });
  open({ types: [standard] });
  await screen.findByText(/The waiting list has brought you these seats/);
  type("VIP Seat", "1");
  expect(total()).toBe("1 ticket $100.00 AUD, no fees added");
});

test("TIC-2: pressing Next before the own order is known gives up none of its seats", () => {
  const order = { id: heldOrder.id, key: heldOrder.key };
  keepDraft({ ...draft, lines: [{ type: "vip", quantity: 2 }], order });
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const goTo = open({ types: [{ ...vip, left: 0, state: "sold_out" }, standard] });
  expect(total()).toBe("2 tickets $200.00 AUD, no fees added");
  press("Next");
  expect(goTo).toHaveBeenCalledExactlyOnceWith(CHECKOUT);
  expect(chosen()).toEqual([{ type: "vip", quantity: 2 }]);
});

test("TIC-2: a page that is shown again reloads what is left, and keeps what it has if there is no answer", async () => {
  open();
  type("VIP Seat", "8");
  let left = 5;
  const calls = answerCalls(() => (left === 0 ? "cut" : { data: { ...offer, types: [{ ...vip, left }, standard] } }));
  const showAgain = () => fireEvent(window, Object.assign(new Event("pageshow"), { persisted: true }));
  showAgain();
  await waitFor(() => expect(total()).toBe("Only 5 VIP Seat tickets left"));
  left = 0;
  showAgain();
  await waitFor(() => expect(calls).toHaveLength(2));
  expect([stepper("VIP Seat").value, total()]).toEqual(["8", "Only 5 VIP Seat tickets left"]);
});

test("TIC-2: a browser without storage gets an explanation instead of redirects in a circle", () => {
  const goTo = open();
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("switched off");
  });
  press("Add one VIP Seat");
  press("Next");
  expect(goTo).not.toHaveBeenCalled();
  expect(screen.getByRole("alert").textContent).toContain("Your browser is blocking storage for this site");
});

test("TIC-2: what was typed before the page's script ran counts", () => {
  const markup = renderToString(<SelectTickets offer={offer} />);
  const root = document.createElement("div");
  root.innerHTML = markup;
  document.body.append(root);
  stepper("VIP Seat").value = "3";
  render(<SelectTickets offer={offer} />, { container: root, hydrate: true });
  expect(stepper("VIP Seat").value).toBe("3");
  expect(total()).toContain("3 tickets $300.00");
  root.remove();
});

test("TIC-2: without JavaScript the page says whom to call", () => {
  const markup = renderToString(
    <SelectPage event={dinner} organisation={{ phone: "02 9000 1111" }} brand={null} choice={null} />,
  );
  const noscript = /<noscript>(.*?)<\/noscript>/s.exec(markup)?.[1];
  expect(noscript).toContain("tel:0290001111");
});
