// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPasskey } from "#shared/passkeys/ui/passkeys.ts";
import { type Answers, answerCalls, done, noAnswer, refusal } from "#test/pages/account-answers.ts";
import { ChangePasswordPage } from "./change-password-page.tsx";

vi.mock("#shared/passkeys/ui/passkeys.ts", () => ({ createPasskey: vi.fn(), forgetPasskey: vi.fn() }));

const phone = {
  id: "6f6d2a52-9c0b-4a46-9d0e-0d6d7c6a1a01",
  name: "Chrome on Android",
  createdAt: "2026-11-20T00:00:00.000Z",
  lastUsedAt: null,
  isBlocked: false,
};
const made = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: "AAAA", attestationObject: "AAAA" },
} as const;

/** As a browser does, a dialog sends 'close' only after what closed it has run. */
const closeEvents: Promise<unknown>[] = [];

beforeEach(() => {
  closeEvents.length = 0;
  vi.stubGlobal("PublicKeyCredential", class {});
  vi.mocked(createPasskey).mockReset().mockResolvedValue(made);
  // jsdom has dialogs, but not their methods.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
    closeEvents.push(new Promise((sent) => setTimeout(() => sent(this.dispatchEvent(new Event("close"))))));
  };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(answers: Answers = {}) {
  const sent = answerCalls({ "/passkeys": done([]), ...answers });
  render(<ChangePasswordPage user={{ id: 7, email: "sana@example.com" }} hasPasskeys />);
  return sent;
}
const card = () => within(screen.getByRole("region", { name: "Passkeys" }));
const add = async () => fireEvent.click(await card().findByRole("button", { name: "Add a passkey" }));

test("LOG-23: some time after the log-in, adding a passkey asks for the password, with an error at its field if it is wrong", async () => {
  const wrong = { data: { password: ["This isn’t your current password."] } };
  const options = [
    () => refusal(403, "password_needed"),
    () => refusal(422, "invalid_input", wrong),
    () => done({ challenge: "AAAA" }),
  ];
  const lists = [done([]), done([phone])];
  const sent = open({
    "/passkeys": () => lists.shift()!,
    "/passkeys/options": () => options.shift()!(),
    "/passkeys/add": done(phone),
  });
  await add();
  const dialog = within(await screen.findByRole("dialog", { name: "Add a passkey" }));
  const press = () => fireEvent.click(dialog.getByRole("button", { name: "Add a passkey" }));
  for (const password of ["wrong password", "right password"]) {
    fireEvent.change(dialog.getByLabelText("Password"), { target: { value: password } });
    press();
    if (password === "wrong password") await dialog.findByRole("link", { name: "This isn’t your current password." });
  }
  await card().findByText("Chrome on Android", { selector: "b" });
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(vi.mocked(createPasskey)).toHaveBeenCalledOnce();
  expect(sent.filter(({ url }) => url === "/passkeys/options").map(({ body }) => body)).toEqual([
    {},
    { password: "wrong password" },
    { password: "right password" },
  ]);
});

test.each([
  ["cancelled", "No passkey was added. You can try again at any time."],
  ["exists", "This device or password manager already has a passkey for your account."],
  ["impossible", "This device or browser couldn’t create a passkey. Nothing was added."],
] as const)("LOG-23: where none is made, since it was %s, the page says so and adds nothing", async (none, text) => {
  vi.mocked(createPasskey).mockResolvedValue({ none });
  const sent = open({ "/passkeys/options": done({ challenge: "AAAA" }) });
  await add();
  expect((await card().findByRole("alert")).textContent).toBe(text);
  expect(sent.some(({ url }) => url === "/passkeys/add")).toBe(false);
});

test("LOG-23, PRO-9: a list that does not load can be loaded again; an eleventh passkey is refused with a message", async () => {
  const lists = [noAnswer, () => done([phone])];
  open({ "/passkeys": () => lists.shift()!(), "/passkeys/options": refusal(409, "too_many_passkeys") });
  await card().findByText(/^We couldn’t load your passkeys\. We didn’t get an answer\./);
  fireEvent.click(card().getByRole("button", { name: "Try again" }));
  await card().findByText("Chrome on Android", { selector: "b" });
  await add();
  expect((await card().findByRole("alert")).textContent).toBe("Said by the server.");
});

test("LOG-23: a passkey that was added although the answer was lost is in the list after the next press", async () => {
  vi.mocked(createPasskey).mockResolvedValue({ none: "exists" });
  const lists = [done([]), done([phone])];
  open({ "/passkeys": () => lists.shift()!, "/passkeys/options": done({ challenge: "AAAA" }) });
  await add();
  await card().findByText("Chrome on Android", { selector: "b" });
  expect(card().getByRole("alert").textContent).toMatch(/already has a passkey for your account\.$/);
});

test("LOG-23, PRO-9: once the session is over, adding a passkey leads to the log-in", async () => {
  open({ "/passkeys/options": refusal(401, "not_signed_in") });
  await add();
  expect((await card().findByRole("alert")).textContent).toMatch(/^You’ve been logged out\. Log in again/);
  const link = card().getByRole<HTMLAnchorElement>("link", { name: /^Log in/ });
  expect([link.pathname, link.target]).toEqual(["/login", "_blank"]);
});

test("LOG-23: a passkey that was removed in another tab gets a message", async () => {
  open({ "/passkeys": done([phone]), "/passkeys/remove": refusal(403, "not_allowed") });
  fireEvent.click(await card().findByRole("button", { name: "Remove Chrome on Android" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Remove ‘Chrome on Android’?" }));
  fireEvent.click(dialog.getByRole("button", { name: "Remove" }));
  await dialog.findByText("You no longer have this passkey. Please reload the page.");
});

test("LOG-23: a dialog that is opened again at once after Cancel keeps its form", async () => {
  open({ "/passkeys": done([phone]) });
  const remove = await card().findByRole("button", { name: "Remove Chrome on Android" });
  fireEvent.click(remove);
  const dialog = within(await screen.findByRole("dialog", { name: "Remove ‘Chrome on Android’?" }));
  fireEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  fireEvent.click(remove);
  await act(() => Promise.all(closeEvents));
  expect(closeEvents).toHaveLength(1);
  expect(dialog.getByRole("button", { name: "Remove" })).toBeTruthy();
});

test("LOG-25: a blocked passkey says why, and to replace it", async () => {
  open({ "/passkeys": done([{ ...phone, lastUsedAt: phone.createdAt, isBlocked: true }]) });
  const line = within(await card().findByRole("listitem"));
  expect(line.getByText("Blocked")).toBeTruthy();
  expect(line.getByText(/^A copy of it may exist, so it no longer works\./)).toBeTruthy();
  expect(line.getByText(/last used/)).toBeTruthy();
});

test("LOG-23: a browser without passkeys still shows and removes them, and says that it does not support them", async () => {
  vi.stubGlobal("PublicKeyCredential", undefined);
  Reflect.deleteProperty(globalThis, "PublicKeyCredential");
  open({ "/passkeys": done([phone]) });
  await card().findByText("This browser doesn’t support passkeys.");
  expect(card().getByRole("button", { name: "Remove Chrome on Android" })).toBeTruthy();
  await waitFor(() => expect(card().queryByRole("button", { name: "Add a passkey" })).toBeNull());
});
