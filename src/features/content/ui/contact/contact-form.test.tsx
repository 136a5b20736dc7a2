// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { solveCaptcha } from "#shared/captcha/ui/solve-captcha.ts";
import { ContactForm } from "./contact-form.tsx";

// jsdom has no web workers; the journeys solve the real captcha.
vi.mock("#shared/captcha/ui/solve-captcha.ts", () => ({ solveCaptcha: vi.fn() }));
vi.mock("#shared/ui/feedback.ts", () => ({ whileLoading: (work: Promise<unknown>) => work }));

type Sent = Record<string, unknown>;
const sent: Sent[] = [];
let answers: (() => { status: number; body: object })[] = [];

const organisation = { phone: "1300 000 000", email: "help@chashma.example" };
const captcha = { provider: "altcha", challengeUrl: "/api/captcha" } as const;
const thanks = () => ({ status: 200, body: { code: "200", status: "true", message: "Thank you.", data: {} } });
const refusal =
  (status: number, error: string, more: object = {}) =>
  () => ({
    status,
    body: { code: String(status), status: "false", error, message: "Said by the server.", ...more },
  });
const noAnswer = () => {
  throw new TypeError("the network is gone");
};

beforeEach(() => {
  sessionStorage.clear();
  sent.length = 0;
  answers = [];
  history.replaceState(null, "", "/contact");
  document.title = "Contact Us";
  let solved = 0;
  vi.mocked(solveCaptcha).mockImplementation(async () => `solved ${++solved}`);
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (init.method === "GET") return { status: 200, text: async () => "{}" };
    expect(url).toBe("/api/contact");
    sent.push(JSON.parse(String(init.body)));
    const { status, body } = (answers.shift() ?? thanks)();
    return { status, text: async () => JSON.stringify(body) };
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const field = (label: string) => screen.getByRole<HTMLInputElement>("textbox", { name: new RegExp(`^${label}`) });
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const press = () => fireEvent.click(screen.getByRole("button", { name: "Send a message" }));
const open = (setup: Parameters<typeof ContactForm>[0]["captcha"] = captcha) =>
  render(<ContactForm organisation={organisation} captcha={setup} />);

function fill() {
  type("Name", "Sana Malik");
  type("Email", "sana@example.com");
  type("Message", "How many children come?");
}
const seesThanks = () => screen.findByRole("heading", { name: "Thank you. We have your message." });

test("PAGE-7: a message is sent with its captcha and a key, and thanks replace the form and take focus", async () => {
  open();
  fill();
  press();
  const box = (await seesThanks()).parentElement!;
  expect(box.getAttribute("role")).toBe("status");
  await waitFor(() => expect(document.activeElement).toBe(box));
  expect(box.textContent).toContain("sana@example.com");
  expect(screen.getByRole("link", { name: "Send another message" }).getAttribute("href")).toBe("/contact");
  expect(sent).toEqual([
    {
      name: "Sana Malik",
      email: "sana@example.com",
      phone: "",
      subject: "",
      message: "How many children come?",
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      website: "",
      captcha: "solved 1",
    },
  ]);
  expect(vi.mocked(solveCaptcha)).toHaveBeenCalledExactlyOnceWith("/api/captcha?action=contact");
  expect(sessionStorage.length).toBe(0);
});

test("PAGE-7: missing fields are reported above the form and beside each field, and nothing is sent", async () => {
  open();
  type("Email", "sana@");
  press();
  const summary = await screen.findByRole("alert");
  await waitFor(() => expect(document.activeElement).toBe(summary));
  expect([...summary.querySelectorAll("a")].map(({ textContent }) => textContent)).toEqual([
    "Please enter your name.",
    "Please enter a valid email address, such as name@example.com.",
    "Please enter your message.",
  ]);
  expect(field("Name").getAttribute("aria-invalid")).toBe("true");
  await waitFor(() => expect(document.title).toBe("Error: Contact Us"));
  fill();
  await waitFor(() => expect(screen.queryByText("There is a problem")).toBeNull());
  await waitFor(() => expect(document.title).toBe("Contact Us"));
  expect(sent).toEqual([]);
});

test("PAGE-7: after a lost answer the text stays, and is sent again under the same key", async () => {
  answers = [noAnswer];
  open();
  fill();
  press();
  const alert = await screen.findByText(/We didn’t get an answer.*it will not be sent twice/);
  await waitFor(() => expect(document.activeElement?.contains(alert)).toBe(true));
  expect(field("Message").value).toBe("How many children come?");
  cleanup();
  open();
  await waitFor(() => expect(field("Message").value).toBe("How many children come?"));
  press();
  await seesThanks();
  expect(sent.map(({ key }) => key)).toEqual([sent[0]!.key, sent[0]!.key]);
});

test("PAGE-7: text that changed after a lost answer is another message", async () => {
  answers = [noAnswer];
  open();
  fill();
  press();
  await screen.findByText(/We didn’t get an answer/);
  type("Message", "And how many teachers?");
  press();
  await seesThanks();
  expect(sent[1]!.key).not.toBe(sent[0]!.key);
});

test("PAGE-7, API-12: a refused captcha is solved again once, without a message; a second refusal is reported", async () => {
  answers = [refusal(403, "captcha_failed")];
  open();
  fill();
  press();
  await seesThanks();
  expect(sent.map(({ captcha: solved }) => solved)).toEqual(["solved 1", "solved 2"]);
  cleanup();
  answers = [refusal(403, "captcha_failed"), refusal(403, "captcha_failed")];
  open();
  fill();
  press();
  await screen.findByText("We couldn’t check that you are a person. Please try again.");
  expect(sent).toHaveLength(4);
});

test("API-8: an outdated token is replaced once, without a message", async () => {
  answers = [refusal(403, "csrf")];
  open();
  fill();
  press();
  await seesThanks();
  expect(sent).toHaveLength(2);
});

test("API-12: a captcha that cannot be solved is reported, with other ways to reach us", async () => {
  vi.mocked(solveCaptcha).mockRejectedValue(new Error("no worker"));
  open();
  fill();
  press();
  const alert = (await screen.findByText(/We couldn’t check that you are a person/)).closest("[role=alert]")!;
  expect([...alert.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
    "tel:1300000000",
    "mailto:help@chashma.example",
  ]);
  expect(sent).toEqual([]);
});

test("PAGE-7: too many messages, or a server failure, shows the server's message, and nothing typed is lost", async () => {
  for (const answer of [refusal(429, "too_many_messages"), refusal(503, "busy")]) {
    answers = [answer];
    open();
    fill();
    press();
    await screen.findByText("Said by the server.");
    expect(field("Name").value).toBe("Sana Malik");
    cleanup();
  }
});

test("PAGE-7: the server's errors show beside their fields", async () => {
  answers = [refusal(422, "invalid_input", { data: { phone: ["Please enter another phone number."] } })];
  open();
  fill();
  press();
  const link = await screen.findByRole("link", { name: "Please enter another phone number." });
  expect(link.getAttribute("href")).toBe("#phone");
  expect(field("Phone").getAttribute("aria-invalid")).toBe("true");
});

test("HOME-9: the subject from the address is filled in, but never over what was typed", async () => {
  history.replaceState(null, "", "/contact?subject=Quick%20fundraising");
  open();
  await waitFor(() => expect(field("Subject").value).toBe("Quick fundraising"));
  type("Subject", "Something else");
  cleanup();
  open();
  await waitFor(() => expect(field("Subject").value).toBe("Something else"));
});

test("PAGE-7: near its limit the message shows how many characters are left", async () => {
  open();
  type("Message", "a".repeat(4000));
  expect(screen.queryByText(/characters left/)).toBeNull();
  type("Message", `${"a".repeat(4997)}🌱🌱`);
  expect(screen.getByText("1 character left")).toBeDefined();
  type("Message", "a".repeat(5002));
  expect(screen.getByText("2 characters too many")).toBeDefined();
});

test("API-12: a third-party captcha is a separate step, and is required", async () => {
  open({ provider: "turnstile", siteKey: "site", scriptUrl: "about:blank" });
  const box = await screen.findByRole("group", { name: "Verification" });
  fill();
  press();
  const link = await screen.findByRole("link", { name: "Please complete the verification." });
  expect(link.getAttribute("href")).toBe("#captcha");
  expect(box.textContent).toContain("Please complete the verification.");
  expect(sent).toEqual([]);
});

test("PAGE-7: without JavaScript the page shows how to write or call instead of the form", () => {
  const markup = renderToString(<ContactForm organisation={organisation} captcha={captcha} />);
  const noscript = /<noscript>(.*?)<\/noscript>/s.exec(markup)?.[1];
  expect(noscript).toContain("tel:1300000000");
  expect(noscript).toContain("mailto:help@chashma.example");
  expect(markup).toMatch(/<form class="needs-script"/);
  expect(markup).not.toContain("style=");
});
