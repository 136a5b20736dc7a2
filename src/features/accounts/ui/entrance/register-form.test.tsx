// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepKnownPerson } from "#payments/checkout/ui/known-person.ts";
import { solveCaptcha } from "#shared/captcha/ui/solve-captcha.ts";
import { showAlert, showOnArrival, showToast } from "#shared/ui/feedback.ts";
import {
  type Answers,
  answerCalls,
  done,
  knownPlaces,
  noAnswer,
  places,
  refusal,
} from "#test/pages/account-answers.ts";
import { leaveFor } from "../leave.ts";
import { RegisterForm } from "./register-form.tsx";

vi.mock("../leave.ts", () => ({ leaveFor: vi.fn() }));
// jsdom has no web workers; the journeys solve the real captcha.
vi.mock("#shared/captcha/ui/solve-captcha.ts", () => ({ solveCaptcha: vi.fn() }));
vi.mock("#shared/ui/feedback.ts", () => ({
  showAlert: vi.fn(() => Promise.resolve()),
  showOnArrival: vi.fn(),
  showToast: vi.fn(),
  whileLoading: (work: Promise<unknown>) => work,
}));

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, "", "/register");
  let solved = 0;
  vi.mocked(solveCaptcha).mockImplementation(async () => `solved ${++solved}`);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: ":not([type=radio])" });
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const press = () => fireEvent.click(screen.getByRole("button", { name: "Register" }));
const choose = async (label: string, name: string) => {
  await screen.findByRole("option", { name });
  type(label, name);
};
const serve = (answers: Answers = {}) =>
  answerCalls({ ...places, "/mobile-check": done({ isLikely: true }), ...answers });
const sana = {
  first_name: "Sana",
  last_name: "Malik",
  email: "sana@example.com",
  country: "Australia",
  state: "Victoria",
  mobile: "61412345678",
  postal_code: "3000",
  prefered_contact: "SMS",
};
const created = done({ ...sana, user_id: 7, city: "" });

function open() {
  render(<RegisterForm captcha={{ provider: "altcha", challengeUrl: "/api/captcha" }} places={knownPlaces} />);
  fireEvent.focus(field("First Name"));
}
async function fill() {
  type("First Name", "Sana");
  type("Last Name", "Malik");
  type("Email", "sana@example.com");
  await choose("State", "Victoria");
  type("Mobile Number", "0412 345 678");
  type("Post Code", "3000");
  type("Password", "correct horse");
  type("Confirm Password", "correct horse");
}
const posted = (sent: ReturnType<typeof serve>) =>
  sent.filter(({ url }) => url === "/user/create").map(({ body }) => body);

test("LOG-11, LOG-15, LOG-18, LOG-21: a registration is sent under the wire's names, stores the user and leads home, which welcomes them", async () => {
  const sent = serve({ "/user/create": created });
  open();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "SMS" }).checked).toBe(true);
  expect(field("Country").value).toBe("Australia");
  await fill();
  press();
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/"));
  expect(showOnArrival).toHaveBeenCalledExactlyOnceWith(
    "Welcome, Sana. We’ve sent a link to sana@example.com. Open it to confirm that this email address is yours.",
  );
  expect(posted(sent)).toEqual([{ ...sana, city: "Not required", password: "correct horse", captcha: "solved 1" }]);
  expect(JSON.parse(sessionStorage.getItem("user")!)).toEqual({ ...sana, user_id: 7, city: "" });
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain("correct horse");
});

test("LOG-15: while home is on its way, pressing again registers nobody", async () => {
  const comesBack = Promise.withResolvers<void>();
  vi.mocked(leaveFor).mockReturnValueOnce(comesBack.promise);
  const sent = serve({ "/user/create": created });
  open();
  await fill();
  press();
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  const button = screen.getByRole("button", { name: "Register" });
  expect(button.getAttribute("aria-disabled")).toBe("true");
  press();
  comesBack.resolve();
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("false"));
  expect(posted(sent)).toHaveLength(1);
});

test("LOG-12, LAY-11: all missing fields get the exact messages, in the form's order", async () => {
  const sent = serve();
  open();
  press();
  await screen.findByRole("link", { name: "First Name is required" });
  expect([...document.querySelectorAll(".error-summary a")].map((link) => link.textContent)).toEqual([
    "First Name is required",
    "Last Name is required",
    "Email is required",
    "State is required",
    "Mobile Number is required",
    "Post Code is required",
    "Password is required and must be at least 8 characters long.",
    "confirmPassword is required and must be at least 8 characters long.",
  ]);
  type("Email", "sana@");
  await screen.findByRole("link", { name: "Invalid email format" });
  expect(posted(sent)).toEqual([]);
});

test("LOG-14, LAY-9: passwords that differ get an inline message and an alert; nothing is sent", async () => {
  const sent = serve();
  open();
  await fill();
  type("Confirm Password", "correct house");
  press();
  await screen.findByRole("link", { name: "Passwords do not match" });
  expect(showAlert).toHaveBeenCalledExactlyOnceWith("Password does not match");
  expect(posted(sent)).toEqual([]);
});

test("LOG-12: a country without states has a text field with its name; another country resets the state", async () => {
  const sent = serve({ "/user/create": created });
  open();
  await fill();
  await choose("Country", "Gibraltar");
  await waitFor(() => expect(field("State").tagName).toBe("INPUT"));
  await waitFor(() => expect(field("State").value).toBe("Gibraltar"));
  expect(screen.getByText("+350")).toBeDefined();
  type("Country", "Pakistan");
  await waitFor(() => expect(field("State").tagName).toBe("SELECT"));
  expect(field("State").value).toBe("");
  press();
  await screen.findByRole("link", { name: "State is required" });
  await choose("State", "Punjab");
  press();
  await waitFor(() =>
    expect(posted(sent)).toMatchObject([{ country: "Pakistan", state: "Punjab", mobile: "92412345678" }]),
  );
});

test("LOG-13: an unlikely number gets a hint that does not block", async () => {
  const sent = serve({ "/user/create": created, "/mobile-check": done({ isLikely: false }) });
  open();
  await fill();
  fireEvent.blur(field("Mobile Number"));
  await screen.findByText(/doesn’t look like a mobile number in Australia/);
  expect(field("Mobile Number").getAttribute("aria-describedby")).toBe("mobile-hint");
  press();
  await waitFor(() => expect(posted(sent)).toHaveLength(1));
});

test("LOG-15: an email that has an account gets a toast titled ERROR! and an error at its field; what was typed stays", async () => {
  const taken = "This email address already has an account. Log in, or reset your password.";
  serve({ "/user/create": refusal(422, "invalid_input", { data: { email: [taken] } }) });
  open();
  await fill();
  press();
  const link = await screen.findByRole("link", { name: taken });
  expect(link.getAttribute("href")).toBe("#email");
  expect(showToast).toHaveBeenCalledExactlyOnceWith(taken, "bad", "ERROR!");
  expect(field("First Name").value).toBe("Sana");
  expect(leaveFor).not.toHaveBeenCalled();
});

test("LOG-15: other failures show the answer's message, else 'Registration failed. Please try again.'", async () => {
  serve({ "/user/create": refusal(429, "too_many_accounts") });
  open();
  await fill();
  press();
  await screen.findByText("Said by the server.");
  expect(showToast).toHaveBeenLastCalledWith("Said by the server.", "bad", "ERROR!");
  serve({ "/user/create": noAnswer });
  press();
  await screen.findByText("Registration failed. Please try again.");
  expect(showToast).toHaveBeenLastCalledWith("Registration failed. Please try again.", "bad", "ERROR!");
});

test("API-12, API-8: a refused captcha is solved again once, and an outdated token replaced once, without a message", async () => {
  const answers = [refusal(403, "captcha_failed"), refusal(403, "csrf"), created];
  const sent = serve({ "/user/create": () => answers.shift()! });
  open();
  await fill();
  press();
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/"));
  expect(posted(sent).map((body) => (body as { captcha: string }).captcha)).toEqual([
    "solved 1",
    "solved 2",
    "solved 2",
  ]);
  expect(showToast).not.toHaveBeenCalled();
});

test("PRO-9: states that do not load can be loaded again", async () => {
  answerCalls({ "/state/3": noAnswer });
  open();
  type("Country", "Pakistan");
  const again = await screen.findByRole("button", { name: "Try again" });
  serve();
  fireEvent.click(again);
  await screen.findByRole("option", { name: "Punjab" });
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("REL-4: before its script runs, the form is shown but cannot be sent", () => {
  const markup = renderToString(<RegisterForm captcha={{ provider: "altcha" }} places={knownPlaces} />);
  expect(markup).not.toContain("style=");
  expect(markup).toMatch(/<button[^>]* type="button"[^>]*>Register/);
});

test("LOG-19: every country and the states of the default one are in the markup, and a choice made before the script runs stays", async () => {
  serve();
  const form = <RegisterForm captcha={{ provider: "altcha" }} places={knownPlaces} />;
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = renderToString(form);
  const options = [...container.querySelectorAll("option")].map(({ textContent }) => textContent);
  expect(options).toEqual(["Australia", "Gibraltar", "Pakistan", "Choose a state", "New South Wales", "Victoria"]);
  field("Country").value = "Pakistan";
  render(form, { container, hydrate: true });
  await screen.findByRole("option", { name: "Punjab" });
  expect(field("Country").value).toBe("Pakistan");
  expect(screen.getByText("+92", { exact: false })).toBeTruthy();
});

test("LOG-19: a state that the browser fills in before the script runs stays, too", async () => {
  serve();
  const form = <RegisterForm captcha={{ provider: "altcha" }} places={knownPlaces} />;
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = renderToString(form);
  field("State").value = "Victoria";
  render(form, { container, hydrate: true });
  await waitFor(() => expect(screen.getByRole("button", { name: "Register" }).getAttribute("type")).toBe("submit"));
  type("First Name", "Sana");
  expect(field("State").value).toBe("Victoria");
});

test("DON-28: a guest who comes from the thank-you page finds their details filled in, once", async () => {
  serve();
  keepKnownPerson({ firstName: "Sana", lastName: "Malik", email: "sana@example.com", postcode: "2144" });
  open();
  const values = () => ["First Name", "Last Name", "Email", "Post Code"].map((label) => field(label).value);
  expect(values()).toEqual(["Sana", "Malik", "sana@example.com", "2144"]);
  cleanup();
  open();
  expect(values()).toEqual(["", "", "", ""]);
});
