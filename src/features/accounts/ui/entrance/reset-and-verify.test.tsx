// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showOnNextPage, showToast } from "#shared/ui/feedback.ts";
import { answerCalls, done, noAnswer, refusal } from "#test/pages/account-answers.ts";
import { leaveFor } from "../leave.ts";
import { sendToLogin } from "../send-to-login.ts";
import { ResetForm } from "./reset-form.tsx";
import { VerifyEmail } from "./verify-email.tsx";

vi.mock("../leave.ts", () => ({ leaveFor: vi.fn() }));
vi.mock("../send-to-login.ts", () => ({ sendToLogin: vi.fn() }));
vi.mock("#shared/ui/feedback.ts", () => ({
  showOnNextPage: vi.fn(),
  showToast: vi.fn(),
  whileLoading: (work: Promise<unknown>) => work,
}));

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  vi.useRealTimers();
});

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

function fill() {
  type("Code", "123 456");
  type("Password", "a new password");
  type("Confirm", "a new password");
}

test("LOG-7: a field that was left shows the exact message", async () => {
  answerCalls({});
  render(<ResetForm />);
  for (const [label, text] of [
    ["Code", "Code is required."],
    ["Email", "Email is required."],
    ["Password", "Password must be at least 8 characters long."],
    ["Confirm", "Confirm Password must be at least 8 characters long."],
  ] as const) {
    expect(screen.queryByText(text)).toBeNull();
    fireEvent.focus(field(label));
    fireEvent.blur(field(label));
    await screen.findByText(text);
  }
  type("Email", "sana");
  await screen.findByText("Invalid email format.");
});

test("LOG-9: two passwords that differ are reported, and nothing is sent", async () => {
  const sent = answerCalls({});
  sessionStorage.setItem("reset-email", "sana@example.com");
  render(<ResetForm />);
  fill();
  type("Confirm", "another password");
  press("Reset Password");
  await screen.findByRole("link", { name: "Passwords do not match" });
  expect(sent).toEqual([]);
});

test("LOG-4, LOG-8, LAY-7: the email is carried over; after a reset a toast shows, and 1000 ms later the log-in page with the same toast", async () => {
  const sent = answerCalls({ "/password/reset": done() });
  sessionStorage.setItem("reset-email", "sana@example.com");
  render(<ResetForm />);
  await waitFor(() => expect(field("Email").value).toBe("sana@example.com"));
  fill();
  const pressedAt = Date.now();
  press("Reset Password");
  await waitFor(() => expect(showToast).toHaveBeenCalledWith("Password Reset Successfully!"));
  expect(leaveFor).not.toHaveBeenCalled();
  press("Reset Password");
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/login"));
  expect(Date.now() - pressedAt).toBeGreaterThanOrEqual(1000);
  expect(showOnNextPage).toHaveBeenCalledWith("Password Reset Successfully!");
  expect(sent).toHaveLength(1);
  expect(sent[0]!.body).toEqual({
    code: "123456",
    email: "sana@example.com",
    password: "a new password",
    password_confirmation: "a new password",
  });
});

test("LOG-20, NAV-7: after a reset the email and the return path are carried over to the log-in", async () => {
  answerCalls({ "/password/reset": done() });
  history.replaceState(null, "", "/reset-password?return=%2Fdonation");
  render(<ResetForm />);
  fill();
  type("Email", "sana@example.com");
  press("Reset Password");
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/login?return=%2Fdonation"));
  expect(sessionStorage.getItem("reset-email")).toBe("sana@example.com");
});

test("NAV-7: the links to the log-in and to registration keep the return path", () => {
  history.replaceState(null, "", "/reset-password?return=%2Fdonation");
  render(<ResetForm />);
  const addressOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(addressOf("Log in")).toBe("/login?return=%2Fdonation");
  expect(addressOf("create an account")).toBe("/register?return=%2Fdonation");
});

test("LANG-4, LOG-7: the code may be typed in Urdu digits", async () => {
  const sent = answerCalls({ "/password/reset": done() });
  sessionStorage.setItem("reset-email", "sana@example.com");
  render(<ResetForm />);
  fill();
  type("Code", "۰۱۲۳ ۴۵۶۷");
  press("Reset Password");
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ code: "01234567" }));
});

test("LOG-9: every kind of wrong code shows the same message", async () => {
  answerCalls({ "/password/reset": refusal(422, "code_failed", { message: "The code is wrong or has expired." }) });
  sessionStorage.setItem("reset-email", "sana@example.com");
  render(<ResetForm />);
  fill();
  press("Reset Password");
  await screen.findByText("The code is wrong or has expired.");
  expect(leaveFor).not.toHaveBeenCalled();
});

test("LOG-4: a new code can be requested once there is an email to send it to", async () => {
  const sent = answerCalls({ "/password/email": done() });
  render(<ResetForm />);
  press("Send a new code");
  await screen.findByText("Enter your email first, then request a new code.");
  expect(document.activeElement).toBe(field("Email"));
  type("Email", "sana@example.com");
  press("Send a new code");
  await screen.findByText("If sana@example.com has an account, a new code is on its way to it.");
  expect(sent).toHaveLength(1);
});

const CONFIRM = "Confirm my email address";
const openEmail = (isVerified = false) => {
  history.replaceState(null, "", "/verify-email?key=email-key");
  render(<VerifyEmail email="sana@example.com" isVerified={isVerified} />);
};

test("opening the link changes nothing; the button confirms and says how many donations were added", async () => {
  const sent = answerCalls({ "/email-verification": done({ joinedGifts: 2 }) });
  openEmail();
  expect(sent).toEqual([]);
  press(CONFIRM);
  await screen.findByText(/added 2 earlier donations from this address to your history/);
  expect(sent).toEqual([{ method: "POST", url: "/email-verification", body: { key: "email-key" } }]);
  expect(screen.queryByRole("button", { name: CONFIRM })).toBeNull();
});

test("LOG-22: once confirmed, the page no longer asks for it, and other tabs notice", async () => {
  answerCalls({ "/email-verification": done({ joinedGifts: 0 }) });
  localStorage.clear();
  openEmail();
  screen.getByText(/Once it’s confirmed/);
  expect(document.querySelector("[data-unconfirmed]")).not.toBeNull();
  press(CONFIRM);
  await screen.findByText(/^Thank you\. sana@example\.com is confirmed\./);
  expect(screen.queryByText(/Once it’s confirmed/)).toBeNull();
  expect(document.querySelector("[data-unconfirmed]")).toBeNull();
  expect(Number(localStorage.getItem("email-confirmed"))).toBeGreaterThan(performance.timeOrigin);
});

test("PRO-9: an expired link shows a message, and another email can be sent", async () => {
  answerCalls({ "/email-verification": refusal(422, "code_failed"), "/email-verification/send": done() });
  openEmail();
  press(CONFIRM);
  await screen.findByText("Said by the server.");
  press("Send a new email");
  await screen.findByText("A new email is on its way to sana@example.com. Please open the link in it.");
  answerCalls({ "/email-verification": noAnswer });
  press(CONFIRM);
  await screen.findByText("We didn’t get an answer. Please check your connection and try again.");
});

test("PRO-1: without a session the confirmation leads to the log-in; if already confirmed, it says so", async () => {
  answerCalls({ "/email-verification": refusal(401, "not_signed_in") });
  openEmail();
  press(CONFIRM);
  await waitFor(() => expect(sendToLogin).toHaveBeenCalledOnce());
  cleanup();
  openEmail(true);
  screen.getByText("sana@example.com is already confirmed.");
});
