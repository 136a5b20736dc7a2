// @vitest-environment jsdom
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showToast } from "#shared/ui/feedback.ts";
import { answerCalls, done, noAnswer, refusal } from "#test/pages/account-answers.ts";
import { leaveFor } from "../leave.ts";
import { sendToLogin } from "../send-to-login.ts";
import { ResetForm } from "./reset-form.tsx";
import { VerifyEmail } from "./verify-email.tsx";

vi.mock("../leave.ts", () => ({ leaveFor: vi.fn() }));
vi.mock("../send-to-login.ts", () => ({ sendToLogin: vi.fn() }));
vi.mock("#shared/ui/feedback.ts", () => ({ showToast: vi.fn(), whileLoading: (work: Promise<unknown>) => work }));
configure({ asyncUtilTimeout: 4000 });

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

test("LOG-7: a field that was left says what it needs, word for word", async () => {
  answerCalls({});
  render(<ResetForm />);
  for (const [label, says] of [
    ["Code", "Code is required."],
    ["Email", "Email is required."],
    ["Password", "Password must be at least 8 characters long."],
    ["Confirm", "Confirm Password must be at least 8 characters long."],
  ] as const) {
    expect(screen.queryByText(says)).toBeNull();
    fireEvent.focus(field(label));
    fireEvent.blur(field(label));
    await screen.findByText(says);
  }
  type("Email", "sana");
  await screen.findByText("Invalid email format.");
});

test("LOG-9: two passwords that differ are said, and nothing is sent", async () => {
  const sent = answerCalls({});
  sessionStorage.setItem("reset-email", "sana@example.com");
  render(<ResetForm />);
  fill();
  type("Confirm", "another password");
  press("Reset Password");
  await screen.findByRole("link", { name: "Passwords do not match" });
  expect(sent).toEqual([]);
});

test("LOG-4, LOG-8: the e-mail came along; after a reset a toast says so, and 1000 ms later the log-in comes", async () => {
  const sent = answerCalls({ "/password/reset": done() });
  sessionStorage.setItem("reset-email", "sana@example.com");
  render(<ResetForm />);
  await waitFor(() => expect(field("Email").value).toBe("sana@example.com"));
  fill();
  const pressedAt = Date.now();
  press("Reset Password");
  await waitFor(() => expect(showToast).toHaveBeenCalledWith("Password Reset Successfully!"));
  expect(leaveFor).not.toHaveBeenCalled();
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/login"));
  expect(Date.now() - pressedAt).toBeGreaterThanOrEqual(1000);
  expect(sent[0]!.body).toEqual({
    code: "123456",
    email: "sana@example.com",
    password: "a new password",
    password_confirmation: "a new password",
  });
});

test("LOG-20, NAV-7: after a reset the email that was typed, and the way back, go along to the log-in", async () => {
  answerCalls({ "/password/reset": done() });
  history.replaceState(null, "", "/reset-password?return=%2Fdonation");
  render(<ResetForm />);
  fill();
  type("Email", "sana@example.com");
  press("Reset Password");
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/login?return=%2Fdonation"));
  expect(sessionStorage.getItem("reset-email")).toBe("sana@example.com");
});

test("LOG-9: a wrong code is said with the one sentence for all of its kinds", async () => {
  answerCalls({ "/password/reset": refusal(422, "code_failed", { message: "The code is wrong or has expired." }) });
  sessionStorage.setItem("reset-email", "sana@example.com");
  render(<ResetForm />);
  fill();
  press("Reset Password");
  await screen.findByText("The code is wrong or has expired.");
  expect(leaveFor).not.toHaveBeenCalled();
});

test("LOG-4: a new code can be asked for, once there is an e-mail to send it to", async () => {
  const sent = answerCalls({ "/password/email": done() });
  render(<ResetForm />);
  press("Send a new code");
  await screen.findByText("Fill in your email first, then ask for a new code.");
  expect(document.activeElement).toBe(field("Email"));
  type("Email", "sana@example.com");
  press("Send a new code");
  await screen.findByText("If sana@example.com has an account, a new code is on its way to it.");
  expect(sent).toHaveLength(1);
});

const CONFIRM = "Confirm my e-mail address";
const openLetter = (isVerified = false) => {
  history.replaceState(null, "", "/verify-email?key=letter-key");
  render(<VerifyEmail email="sana@example.com" isVerified={isVerified} />);
};

test("the link of the letter does nothing by itself; the button confirms, and says how many gifts joined", async () => {
  const sent = answerCalls({ "/email-verification": done({ joinedGifts: 2 }) });
  openLetter();
  expect(sent).toEqual([]);
  press(CONFIRM);
  await screen.findByText(/2 earlier donations from this address have joined your history/);
  expect(sent).toEqual([{ method: "POST", url: "/email-verification", body: { key: "letter-key" } }]);
  expect(screen.queryByRole("button", { name: CONFIRM })).toBeNull();
});

test("LOG-22: once confirmed, the page no longer asks for it, and other tabs can tell", async () => {
  answerCalls({ "/email-verification": done({ joinedGifts: 0 }) });
  localStorage.clear();
  openLetter();
  screen.getByText(/Once it is confirmed/);
  expect(document.querySelector("[data-unconfirmed]")).not.toBeNull();
  press(CONFIRM);
  await screen.findByText(/^Thank you\. sana@example\.com is confirmed\./);
  expect(screen.queryByText(/Once it is confirmed/)).toBeNull();
  expect(document.querySelector("[data-unconfirmed]")).toBeNull();
  expect(Number(localStorage.getItem("email-confirmed"))).toBeGreaterThan(performance.timeOrigin);
});

test("PRO-9: a link that has expired is said, and another letter can be sent", async () => {
  answerCalls({ "/email-verification": refusal(422, "code_failed"), "/email-verification/send": done() });
  openLetter();
  press(CONFIRM);
  await screen.findByText("Said by the server.");
  press("Send a new letter");
  await screen.findByText("A new letter is on its way to sana@example.com. Please open the link in it.");
  answerCalls({ "/email-verification": noAnswer });
  press(CONFIRM);
  await screen.findByText("No answer came. Please check your connection and try again.");
});

test("PRO-1: without a session the confirmation leads to the log-in; confirmed already, it says so", async () => {
  answerCalls({ "/email-verification": refusal(401, "not_signed_in") });
  openLetter();
  press(CONFIRM);
  await waitFor(() => expect(sendToLogin).toHaveBeenCalledOnce());
  cleanup();
  openLetter(true);
  screen.getByText("sana@example.com is confirmed already.");
});
