// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setCookie } from "#test/cookies.ts";
import { answerCalls, done, noAnswer, refusal } from "#test/pages/account-answers.ts";
import { leaveFor } from "../leave.ts";
import { LoginForm } from "./login-form.tsx";

vi.mock("../leave.ts", () => ({ leaveFor: vi.fn() }));

const sana = {
  user_id: 7,
  first_name: "Sana",
  last_name: "Malik",
  email: "sana@example.com",
  country: "Australia",
  state: "Victoria",
  mobile: "61412345678",
  postal_code: "3000",
  prefered_contact: "SMS",
  city: "",
};

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/login");
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  setCookie("user=; max-age=0");
});
const form = () => within(screen.getByRole("form", { name: "Log in" }));
const email = () => form().getByLabelText<HTMLInputElement>("Email");
const password = () => form().getByLabelText<HTMLInputElement>("Password");
const type = (input: HTMLInputElement, value: string) => fireEvent.change(input, { target: { value } });
const press = () => fireEvent.click(form().getByRole("button", { name: "Log in" }));
const logIn = () => {
  type(email(), "sana@example.com");
  type(password(), "correct horse");
  press();
};

test("LOG-6, LOG-17: a log-in stores the user under the wire's names and goes to the profile", async () => {
  const sent = answerCalls({ "/login": { status: 200, body: { code: 200, status: "true", message: "", data: sana } } });
  render(<LoginForm />);
  logIn();
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/profile"));
  expect(sent).toEqual([
    { method: "POST", url: "/login", body: { email: "sana@example.com", password: "correct horse" } },
  ]);
  expect(JSON.parse(sessionStorage.getItem("user")!)).toEqual(sana);
});

test("NAV-7: with a return path, log-in and registration lead there", async () => {
  history.replaceState(null, "", "/login?return=%2Fdonation");
  answerCalls({ "/login": done(sana) });
  render(<LoginForm />);
  const register = screen.getByRole("link", { name: "Create an account" });
  await waitFor(() => expect(register.getAttribute("href")).toBe("/register?return=%2Fdonation"));
  logIn();
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/donation"));
});

test("LOG-20: the email of a reset is filled in, and forgotten after the log-in", async () => {
  sessionStorage.setItem("reset-email", "sana@example.com");
  answerCalls({ "/login": done(sana) });
  render(<LoginForm />);
  await waitFor(() => expect(email().value).toBe("sana@example.com"));
  type(password(), "correct horse");
  press();
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/profile"));
  expect(sessionStorage.getItem("reset-email")).toBeNull();
});

test("LOG-2: missing, too short and too long values get the exact messages, and nothing is sent", async () => {
  const sent = answerCalls({});
  render(<LoginForm />);
  press();
  await form().findByRole("link", { name: "Email is required." });
  form().getByRole("link", { name: "Please enter a password with at least 8 characters." });
  type(email(), "sana@");
  type(password(), "x".repeat(129));
  await form().findByRole("link", { name: "Invalid email format." });
  await form().findByRole("link", { name: "Please enter a password of at most 128 characters." });
  expect(email().getAttribute("aria-invalid")).toBe("true");
  expect(sent).toEqual([]);
});

test("LOG-5: a failed log-in shows a message with focus, keeps the email and clears the password", async () => {
  answerCalls({ "/login": refusal(401, "login_failed", { message: "Email or password is incorrect." }) });
  render(<LoginForm />);
  logIn();
  const alert = (await screen.findByText("Email or password is incorrect.")).closest("[role=alert]");
  expect(document.activeElement).toBe(alert);
  expect([email().value, password().value]).toEqual(["sana@example.com", ""]);
  expect(sessionStorage.getItem("user")).toBeNull();
});

test("LOG-5, PRO-9: too many tries show the server's message, and a lost answer ours", async () => {
  answerCalls({ "/login": refusal(429, "too_many_tries") });
  render(<LoginForm />);
  logIn();
  await screen.findByText("Said by the server.");
  answerCalls({ "/login": noAnswer });
  logIn();
  await screen.findByText("We didn’t get an answer. Please check your connection and try again.");
  expect(password().value).toBe("correct horse");
});

test("LOG-1: the password can be shown, and is hidden again before it is sent", async () => {
  answerCalls({ "/login": refusal(401, "login_failed") });
  render(<LoginForm />);
  expect(password().type).toBe("password");
  fireEvent.click(screen.getByRole("checkbox", { name: "Show password" }));
  expect(password().type).toBe("text");
  logIn();
  await waitFor(() => expect(password().type).toBe("password"));
});

test("LOG-17: a logged-in user is redirected once the server confirms it; with an expired session the page stays", async () => {
  setCookie("user=7");
  answerCalls({ "/user": done(sana) });
  render(<LoginForm />);
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/profile"));
  cleanup();
  vi.mocked(leaveFor).mockClear();
  sessionStorage.setItem("user", JSON.stringify(sana));
  const sent = answerCalls({ "/user": refusal(401, "not_signed_in") });
  render(<LoginForm />);
  await waitFor(() => expect(document.cookie).not.toContain("user="));
  expect(sent).toEqual([{ method: "POST", url: "/user", body: { user_id: "7" } }]);
  expect(sessionStorage.getItem("user")).toBeNull();
  expect(leaveFor).not.toHaveBeenCalled();
});

const dialog = () => document.querySelector<HTMLDialogElement>("dialog")!;
const proceed = () => within(dialog()).getByText("PROCEED");
const address = () => within(dialog()).getByLabelText<HTMLInputElement>("Email");
const openForgot = () => fireEvent.click(form().getByRole("button", { name: "Forgot Password ?" }));

test("LOG-4, LAY-12: the dialog has the email that was typed, and PROCEED is disabled while it is invalid, for the reason that its field gives", async () => {
  const sent = answerCalls({});
  render(<LoginForm />);
  openForgot();
  expect(dialog().open).toBe(true);
  expect(proceed().getAttribute("aria-disabled")).toBe("true");
  const reason = () => document.getElementById("forgot-why")?.textContent;
  expect(reason()).toBe("Email is required.");
  type(address(), "sana");
  expect([reason(), document.getElementById("forgot-email-error")]).toEqual(["Invalid email format.", null]);
  fireEvent.blur(address());
  expect(document.getElementById("forgot-email-error")?.textContent).toContain("Invalid email format.");
  type(address(), "");
  fireEvent.click(proceed());
  expect(document.getElementById("forgot-email-error")?.textContent).toContain("Email is required.");
  expect(sent).toEqual([]);
  dialog().close();
  type(email(), "sana@example.com");
  openForgot();
  await waitFor(() => expect(address().value).toBe("sana@example.com"));
  expect(proceed().getAttribute("aria-disabled")).toBe("false");
});

test("LAY-12: a field left empty shows no error yet; one left invalid does, until it is valid", async () => {
  render(<LoginForm />);
  fireEvent.blur(email());
  expect(email().getAttribute("aria-invalid")).toBeNull();
  type(email(), `${"a".repeat(250)}@example.com`);
  fireEvent.blur(email());
  await screen.findByText("Enter an email of at most 254 characters");
  type(email(), "sana@example.com");
  await waitFor(() => expect(screen.queryByText("Enter an email of at most 254 characters")).toBeNull());
});

test("LOG-4: a failed call shows its error in the dialog, which stays open; a success leads to the reset", async () => {
  answerCalls({ "/password/email": refusal(429, "too_many_emails") });
  render(<LoginForm />);
  type(email(), "sana@example.com");
  openForgot();
  await waitFor(() => expect(address().value).toBe("sana@example.com"));
  fireEvent.click(proceed());
  await within(dialog()).findByText("Said by the server.");
  expect(dialog().open).toBe(true);
  const sent = answerCalls({ "/password/email": done() });
  fireEvent.click(proceed());
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/reset-password"));
  expect(dialog().open).toBe(false);
  expect(sent[0]!.body).toEqual({ email: "sana@example.com" });
  expect(sessionStorage.getItem("reset-email")).toBe("sana@example.com");
});
