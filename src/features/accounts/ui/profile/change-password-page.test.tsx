// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { TOAST_EVENT, type ToastEvent } from "#shared/ui/feedback.ts";
import { answerCalls, done, noAnswer, refusal } from "#test/pages/account-answers.ts";
import { ChangePasswordPage } from "./change-password-page.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const CALL = "/changePassword";
const open = () => render(<ChangePasswordPage user={{ id: 7, email: "sana@example.com" }} />);
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const leave = (label: string) => fireEvent.blur(field(label));
const button = () => screen.getByRole("button", { name: "Change Password" });
const seesAt = async (label: string, sentence: string) =>
  waitFor(() => {
    const ids = field(label).getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(ids.map((id) => document.getElementById(id)?.textContent).join(" ")).toContain(sentence);
  });

type Typed = { old?: string; next?: string; again?: string };
function fill({ old = "old password", next = "a new password", again = next }: Typed = {}) {
  type("Old Password", old);
  type("New Password", next);
  type("Confirm Password", again);
}

function listenForToasts(): string[] {
  const toasts: string[] = [];
  document.addEventListener(TOAST_EVENT, (event) => toasts.push((event as ToastEvent).detail.text));
  return toasts;
}

test("PRO-5: a field that was left shows the exact message", async () => {
  open();
  for (const [label, empty, short] of [
    ["Old Password", "Old Password is required.", "Please enter a password with at least 8 characters."],
    ["New Password", "New Password is required.", "New Password must be at least 8 characters long."],
    ["Confirm Password", "Confirm Password is required.", "Confirm Password must be at least 8 characters long."],
  ] as const) {
    expect(field(label).getAttribute("aria-invalid")).toBeNull();
    leave(label);
    await seesAt(label, empty);
    type(label, "short");
    await seesAt(label, short);
  }
});

test("PRO-6: two new passwords that differ are an error at the second, even if the first changes afterwards", async () => {
  open();
  fill({ again: "another password" });
  leave("Confirm Password");
  await seesAt("Confirm Password", "Passwords do not match");
  type("New Password", "another password");
  await waitFor(() => expect(screen.queryByText("Passwords do not match")).toBeNull());
  type("New Password", "a third password");
  await seesAt("Confirm Password", "Passwords do not match");
});

test("LAY-11, LAY-12, PRO-5: the button is disabled while something is wrong, gives the field's message as the reason, and shows the errors when pressed", async () => {
  const sent = answerCalls({});
  open();
  expect(button().getAttribute("aria-disabled")).toBe("true");
  const reason = () => document.getElementById(button().getAttribute("aria-describedby")!)?.textContent;
  expect(reason()).toBe("Old Password is required.");
  fireEvent.click(button());
  const summary = await screen.findByRole("alert");
  await waitFor(() => expect(document.activeElement).toBe(summary));
  expect([...summary.querySelectorAll("a")].map(({ textContent }) => textContent)).toEqual([
    "Old Password is required.",
    "New Password is required.",
    "Confirm Password is required.",
  ]);
  expect(sent).toEqual([]);
  fill({ next: "x".repeat(129) });
  await waitFor(() => expect(reason()).toBe("Please enter a password of at most 128 characters."));
  fill({ again: "another password" });
  await waitFor(() => expect(reason()).toBe("Passwords do not match"));
  fill();
  await waitFor(() => expect(button().getAttribute("aria-disabled")).toBe("false"));
});

test("PRO-5: a change is sent under the wire's names, shows the toast and empties the form", async () => {
  const toasts = listenForToasts();
  const sent = answerCalls({ [CALL]: done() });
  open();
  fill();
  fireEvent.click(button());
  await waitFor(() => expect(toasts).toEqual(["Password Changed!"]));
  const body = { user_id: 7, old_password: "old password", new_password: "a new password" };
  expect(sent).toEqual([{ method: "POST", url: CALL, body: { ...body, confirm_password: "a new password" } }]);
  await waitFor(() => {
    for (const label of ["Old Password", "New Password", "Confirm Password"]) expect(field(label).value).toBe("");
  });
  expect(screen.queryByRole("alert")).toBeNull();
  await waitFor(() => expect(button().getAttribute("aria-disabled")).toBe("true"));
});

test("PRO-6: a wrong old password is an error at its field", async () => {
  answerCalls({
    [CALL]: refusal(422, "invalid_input", { data: { old_password: ["This isn’t your current password."] } }),
  });
  open();
  fill();
  fireEvent.click(button());
  await seesAt("Old Password", "This isn’t your current password.");
  leave("Old Password");
  await seesAt("Old Password", "This isn’t your current password.");
  expect(field("New Password").value).toBe("a new password");
  type("Old Password", "the right one");
  await waitFor(() => expect(screen.queryByText("This isn’t your current password.")).toBeNull());
});

test.each([
  ["no answer", noAnswer, "We didn’t get an answer. Please check your connection and try again."],
  ["a refusal", () => refusal(429, "too_many"), "Said by the server."],
  ["a session that is over", () => refusal(401, "not_signed_in"), /You’ve been logged out\. Log in again/],
])(
  "PRO-9: after %s the page says what to do, keeps what was typed, and the next press sends again",
  async (_, first, text) => {
    const toasts = listenForToasts();
    const answers = [first, () => done()];
    const sent = answerCalls({ [CALL]: () => answers.shift()!() });
    open();
    fill();
    fireEvent.click(button());
    const box = (await screen.findByText(text)).closest("[role=alert]");
    await waitFor(() => expect(document.activeElement).toBe(box));
    expect(field("Old Password").value).toBe("old password");
    await waitFor(() => expect(button().getAttribute("aria-disabled")).toBe("false"));
    fireEvent.click(button());
    await waitFor(() => expect(toasts).toContain("Password Changed!"));
    expect(sent).toHaveLength(2);
  },
);

test("PRO-9, LOG-17: once the session is over, the user is removed, and a link opens the log-in in a new tab", async () => {
  answerCalls({ [CALL]: refusal(401, "not_signed_in") });
  sessionStorage.setItem("user", "{}");
  open();
  fill();
  fireEvent.click(button());
  const link = await screen.findByRole<HTMLAnchorElement>("link", { name: /^Log in/ });
  expect([link.pathname, link.target]).toEqual(["/login", "_blank"]);
  await waitFor(() => expect(sessionStorage.getItem("user")).toBeNull());
});

test("LOG-17: the fields tell password managers which password is which, and whose", () => {
  const html = renderToString(<ChangePasswordPage user={{ id: 7, email: "sana@example.com" }} />);
  const box = document.createElement("div");
  box.innerHTML = html;
  const kinds = [...box.querySelectorAll("input[autocomplete]")].map((input) => input.getAttribute("autocomplete"));
  expect(kinds).toEqual(["username", "current-password", "new-password", "new-password"]);
  // Before the script runs, nothing can be sent by accident, least of all in the address.
  expect(box.querySelector("form")?.method).toBe("post");
  expect(box.querySelector("form button")?.getAttribute("type")).toBe("button");
});
