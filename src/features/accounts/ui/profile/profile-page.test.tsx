// @vitest-environment jsdom

import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProfileLayout } from "#shared/ui/profile-layout.tsx";
import { type Answers, answerCalls, done, noAnswer, refusal } from "#test/pages/account-answers.ts";
import { translatePage } from "#test/pages/translate-page.ts";
import { erasedOnClosing, keptOnClosing } from "../../closing.ts";
import { sendToLogin } from "../send-to-login.ts";
import { ProfilePage } from "./profile-page.tsx";

vi.mock("../send-to-login.ts", () => ({ sendToLogin: vi.fn() }));

const sana = {
  firstName: "Sana",
  lastName: "Malik",
  email: "sana@example.com",
  isEmailConfirmed: true,
  country: "Australia",
  state: "Victoria",
  mobile: "+61 412 345 678",
};
const here = {
  id: "6f6d2a52-9c0b-4a46-9d0e-0d6d7c6a1a01",
  device: "Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0 Safari/537.36",
  createdAt: "2026-11-20T00:00:00.000Z",
  lastSeenAt: "2026-11-21T04:00:00.000Z",
  isThisOne: true,
};
const telephone = {
  ...here,
  id: "6f6d2a52-9c0b-4a46-9d0e-0d6d7c6a1a02",
  device: "Mozilla/5.0 (Linux; Android 10; K) Chrome/150.0.0.0 Mobile Safari/537.36",
  isThisOne: false,
};

beforeEach(() => {
  // jsdom has dialogs, but not their methods.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
    this.dispatchEvent(new Event("close"));
  };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(answers: Answers = {}, { profile = sana, leaveFor = vi.fn() } = {}) {
  const sent = answerCalls({ "/sessions": done([here, telephone]), ...answers });
  render(<ProfilePage profile={profile} leaveFor={leaveFor} />);
  return { sent, leaveFor };
}
const button = (name: string) => screen.getByRole("button", { name });

test("PRO-1: the sidebar has the four pages and marks the one that is open", () => {
  render(
    <ProfileLayout path="/profile" user={sana}>
      <h1>My Profile</h1>
    </ProfileLayout>,
  );
  const links = within(screen.getByRole("navigation", { name: "Profile" })).getAllByRole<HTMLAnchorElement>("link");
  expect(links.map((link) => [link.textContent, link.pathname, link.getAttribute("aria-current")])).toEqual([
    ["My Profile", "/profile", "page"],
    ["Edit Profile", "/edit-profile", null],
    ["Change Password", "/change-password", null],
    ["Donation History", "/donation-history", null],
  ]);
  expect(document.querySelector(".avatar")?.textContent).toBe("S");
});

test("PRO-2: name, country, mobile, state and email are shown read-only", async () => {
  open();
  const pairs = screen.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.textContent]);
  expect(pairs).toEqual([
    ["Name", "Sana Malik"],
    ["Country", "Australia"],
    ["State", "Victoria"],
    ["Mobile", "+61 412 345 678"],
    ["Email", "sana@example.com"],
  ]);
  await screen.findByText("Chrome on Linux");
});

test("PRO-2: an unconfirmed email says so, and its link can be sent again", async () => {
  const answers = [noAnswer, () => done()];
  const { sent } = open(
    { "/email-verification/send": () => answers.shift()!() },
    { profile: { ...sana, isEmailConfirmed: false } },
  );
  expect(screen.getByText("Not confirmed yet")).toBeTruthy();
  fireEvent.click(button("Send the email again"));
  await screen.findByText(/^We couldn’t send the email\. We didn’t get an answer\./);
  fireEvent.click(button("Send the email again"));
  await screen.findByText(/^The email is on its way\./);
  expect(sent.filter(({ url }) => url === "/email-verification/send")).toHaveLength(2);
});

test("PRO-2: the email can also be sent again on a page that the browser has translated", async () => {
  open({ "/email-verification/send": noAnswer }, { profile: { ...sana, isEmailConfirmed: false } });
  const press = () => fireEvent.click(button("Send the email again"));
  press();
  await screen.findByText(/^We couldn’t send the email\./);
  translatePage();
  press();
  await screen.findByText(/^We couldn’t send the email\./);
});

test("PRO-6: the page lists the user's sessions and logs out all other devices", async () => {
  open({ "/sessions/end-others": done({ ended: 1 }) });
  const list = await screen.findByRole("list", { name: "Where you are logged in" });
  const lines = () => within(list).getAllByRole("listitem");
  expect(lines()[0]!.textContent).toBe("Chrome on LinuxThis device");
  expect(lines()[1]!.textContent).toMatch(/^Chrome on AndroidLast visit 2\d\sNov\s2026, /);
  fireEvent.click(button("Log out other devices"));
  await waitFor(() => expect(lines()).toHaveLength(1));
  expect(screen.queryByRole("button", { name: "Log out other devices" })).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Where you are logged in"));
});

test("PRO-9: if sessions cannot be loaded or ended, the page says so and offers another try", async () => {
  const looks = [noAnswer, () => done([here, telephone])];
  open({ "/sessions": () => looks.shift()!(), "/sessions/end-others": refusal(503, "busy") });
  await screen.findByText(/^We couldn’t load where you’re logged in\. We didn’t get an answer\./);
  fireEvent.click(button("Try again"));
  await screen.findByText("Chrome on Android");
  fireEvent.click(button("Log out other devices"));
  await screen.findByText("The other devices are still logged in. Said by the server.");
  expect(screen.getByText("Chrome on Android")).toBeTruthy();
});

test("PRO-9: once the session is over, a press of any button leads to the log-in", async () => {
  const over = refusal(401, "not_signed_in");
  const answers = { "/sessions/end-others": over, "/email-verification/send": over, "/close-account": over };
  open(answers, { profile: { ...sana, isEmailConfirmed: false } });
  await screen.findByText("Chrome on Android");
  fireEvent.click(button("Log out other devices"));
  await waitFor(() => expect(sendToLogin).toHaveBeenCalledTimes(1));
  fireEvent.click(button("Send the email again"));
  await waitFor(() => expect(sendToLogin).toHaveBeenCalledTimes(2));
  fireEvent.click(button("Close my account"));
  const dialog = within(await screen.findByRole("dialog"));
  fireEvent.change(dialog.getByLabelText("Password"), { target: { value: "right password" } });
  fireEvent.click(dialog.getByRole("button", { name: "Close my account" }));
  await waitFor(() => expect(sendToLogin).toHaveBeenCalledTimes(3));
});

test("PRO-12: all the user's data is a link that can also lead to the log-in", () => {
  open();
  const link = screen.getByRole<HTMLAnchorElement>("link", { name: "Download my data" });
  expect([link.pathname, link.hasAttribute("download")]).toEqual(["/api/my-data", false]);
  expect(screen.getByRole<HTMLAnchorElement>("link", { name: /^what we keep/ }).pathname).toBe("/privacy");
});

test("PRO-11: closing the account says what stays, asks for the password, logs out and leads home", async () => {
  const answers = [
    () => refusal(422, "invalid_input", { data: { password: ["This isn’t your current password."] } }),
    () => done(),
  ];
  for (const key of ["donation-draft", "volunteer-draft"]) localStorage.setItem(key, "{}");
  const { sent, leaveFor } = open({ "/close-account": () => answers.shift()!() });
  fireEvent.click(button("Close my account"));
  const dialog = within(await screen.findByRole("dialog", { name: "Close your account?" }));
  for (const sentence of [...erasedOnClosing, ...keptOnClosing]) expect(dialog.getByText(sentence)).toBeTruthy();
  const press = () => fireEvent.click(dialog.getByRole("button", { name: "Close my account" }));
  press();
  await dialog.findByRole("link", { name: "Please enter a password with at least 8 characters." });
  expect(sent.filter(({ url }) => url === "/close-account")).toEqual([]);
  fireEvent.change(dialog.getByLabelText("Password"), { target: { value: "wrong password" } });
  press();
  await dialog.findByRole("link", { name: "This isn’t your current password." });
  fireEvent.change(dialog.getByLabelText("Password"), { target: { value: "right password" } });
  press();
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith("/"));
  expect(sessionStorage.getItem("arrival")).toContain("Your account is closed and you’re logged out.");
  // Other tabs notice the last one.
  expect(Object.keys(localStorage)).toEqual(["logged-out"]);
});
