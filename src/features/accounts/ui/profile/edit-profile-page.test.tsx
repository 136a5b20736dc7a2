// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { TOAST_EVENT, type ToastEvent } from "#shared/ui/feedback.ts";
import {
  type Answers,
  answerCalls,
  done,
  knownPlaces,
  noAnswer,
  places,
  refusal,
} from "#test/pages/account-answers.ts";
import { updateUserCall } from "../../contract.ts";
import { type EditedUser, EditProfilePage } from "./edit-profile-page.tsx";

const CALL = "/updateUser";
const sana: EditedUser = {
  id: 7,
  email: "sana@example.com",
  firstName: "Sana",
  lastName: "Malik",
  country: "Australia",
  state: "Victoria",
  city: "",
  dialCode: "61",
  mobile: "412345678",
  postcode: "3000",
  preferredContact: "SMS",
};
/** The body of the call that saves these details. */
const sentFor = (user: EditedUser) => {
  const { dialCode, email: _, ...details } = user;
  return z.encode(updateUserCall.body, { ...details, mobile: dialCode + user.mobile });
};
const answerFor = (user: EditedUser) => done({ ...(sentFor(user) as object), email: user.email });

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement | HTMLSelectElement>(label);
const type = (label: RegExp, value: string) => fireEvent.change(field(label), { target: { value } });
const choose = (label: RegExp, value: string) => fireEvent.change(field(label), { target: { value } });
const save = () => fireEvent.click(screen.getByRole("button", { name: "Save Changes" }));

async function open(answers: Answers = {}, user = sana) {
  const sent = answerCalls({ ...places, [CALL]: answerFor(user), ...answers });
  render(<EditProfilePage user={user} places={knownPlaces} />);
  fireEvent.focus(field(/First Name/));
  return sent;
}

function listenForToasts(): string[] {
  const toasts: string[] = [];
  document.addEventListener(TOAST_EVENT, (event) => toasts.push((event as ToastEvent).detail.text));
  return toasts;
}

test("PRO-3: the form has the user's details, the real states of their country and a read-only email", async () => {
  await open();
  await screen.findByRole("option", { name: "New South Wales" });
  const values = [/First Name/, /Last Name/, /Country/, /State/, /City/, /Post Code/, /Mobile/].map(
    (label) => field(label).value,
  );
  expect(values).toEqual(["Sana", "Malik", "Australia", "Victoria", "", "3000", "412345678"]);
  expect(screen.getByText("+61", { exact: false })).toBeTruthy();
  const email = screen.getByRole<HTMLInputElement>("textbox", { name: "Email" });
  expect([email.value, email.readOnly]).toEqual(["sana@example.com", true]);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "SMS" }).checked).toBe(true);
});

test("PRO-4: the update sends the user's own id, preferred contact and city; header and sidebar follow", async () => {
  const toasts = listenForToasts();
  const changed: EditedUser = { ...sana, firstName: "Sanam", city: "Melbourne", preferredContact: "Email" };
  const sent = await open({ [CALL]: answerFor(changed) });
  type(/First Name/, " Sanam ");
  type(/City/, "Melbourne");
  type(/Mobile/, "0412 345 678");
  fireEvent.click(screen.getByRole("radio", { name: "Email" }));
  save();
  await waitFor(() => expect(toasts).toEqual(["Your profile is updated."]));
  expect(sent).toEqual([{ method: "POST", url: CALL, body: sentFor(changed) }]);
  expect(sent[0]!.body).toMatchObject({ user_id: 7, city: "Melbourne", mobile: "61412345678" });
  expect(JSON.parse(sessionStorage.getItem("user")!)).toMatchObject({ user_id: 7, first_name: "Sanam" });
});

test("PRO-3: another country changes the states and the dial code; one without states gets its own name", async () => {
  const sent = await open();
  choose(/Country/, "Pakistan");
  await screen.findByRole("option", { name: "Punjab" });
  expect(field(/State/).value).toBe("");
  expect(screen.getByText("+92", { exact: false })).toBeTruthy();
  save();
  const summary = await screen.findByRole("alert");
  expect([...summary.querySelectorAll("a")].map(({ textContent }) => textContent)).toEqual(["State is required"]);
  expect(sent).toEqual([]);
  choose(/Country/, "Gibraltar");
  await waitFor(() => expect(field(/State/).value).toBe("Gibraltar"));
  choose(/Country/, "Australia");
  await screen.findByRole("option", { name: "New South Wales" });
  expect(field(/State/).value).toBe("Victoria");
});

test("PRO-3: the rules are those of registration, and a field shows its error once it was left", async () => {
  await open();
  for (const [label, wrong, text] of [
    [/First Name/, "", "First Name is required"],
    [/Last Name/, "", "Last Name is required"],
    [/Post Code/, "", "Post Code is required"],
    [/Mobile/, "12", "Enter a mobile number of 6 to 14 digits"],
  ] as const) {
    type(label, wrong);
    fireEvent.blur(field(label));
    await screen.findByText(text);
  }
});

test("PRO-9: the server's errors show at their fields", async () => {
  await open({
    [CALL]: refusal(422, "invalid_input", {
      data: { postal_code: ["Enter a real post code"], mobile: ["No such number"] },
    }),
  });
  save();
  const summary = await screen.findByRole("alert");
  expect([...summary.querySelectorAll("a")].map((link) => [link.hash, link.textContent])).toEqual([
    ["#postcode", "Enter a real post code"],
    ["#mobile", "No such number"],
  ]);
});

test("PRO-9: without an answer the page says so, keeps what was typed, and the next press saves", async () => {
  const toasts = listenForToasts();
  const answers = [noAnswer, () => answerFor(sana)];
  const sent = await open({ [CALL]: () => answers.shift()!() });
  type(/Last Name/, "Raza");
  save();
  await screen.findByText("We didn’t get an answer. Please check your connection and try again.");
  expect(field(/Last Name/).value).toBe("Raza");
  save();
  await waitFor(() => expect(toasts).toContain("Your profile is updated."));
  expect(sent.map(({ body }) => (body as { last_name: string }).last_name)).toEqual(["Raza", "Raza"]);
});

test("PRO-9: states of another country that do not load can be loaded again", async () => {
  const answers = [noAnswer, () => places["/state/3"] as ReturnType<typeof done>];
  await open({ "/state/3": () => answers.shift()!() });
  choose(/Country/, "Pakistan");
  fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await screen.findByRole("option", { name: "Punjab" });
  choose(/Country/, "Australia");
  expect(field(/State/).value).toBe("Victoria");
});
