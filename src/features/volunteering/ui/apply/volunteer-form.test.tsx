// @vitest-environment jsdom

import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { solveCaptcha } from "#shared/captcha/ui/solve-captcha.ts";
import { showAlert } from "#shared/ui/feedback.ts";
import { longTest } from "#test/long-test.ts";
import {
  answerApplications,
  chooseFile,
  field,
  fillAll,
  fillPersonal,
  form,
  open,
  organisation,
  press,
  refusal,
  step,
  tick,
  type,
} from "#test/pages/application-form.tsx";
import { DRAFT_KEY } from "../../draft.ts";
import { preparePicture } from "./prepare-picture.ts";
import { restartForm } from "./restart-form.ts";
import { VolunteerPage } from "./volunteer-page.tsx";

// jsdom has no drawing, pictures, navigation or workers; the journeys use real ones.
vi.mock("./restart-form.ts", () => ({ restartForm: vi.fn() }));
vi.mock("./prepare-picture.ts", () => ({ preparePicture: vi.fn() }));
vi.mock("#shared/captcha/ui/solve-captcha.ts", () => ({ solveCaptcha: vi.fn() }));
vi.mock("#shared/ui/feedback.ts", () => ({
  showAlert: vi.fn(async () => {}),
  whileLoading: (work: Promise<unknown>) => work,
}));
HTMLCanvasElement.prototype.getContext = () => null;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/volunteer");
  document.title = "Volunteer Application";
  let solved = 0;
  vi.mocked(solveCaptcha).mockImplementation(async () => `solved ${++solved}`);
  vi.mocked(preparePicture).mockImplementation(async (file) => ({ file, name: file.name, preview: undefined }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const summary = () => screen.findByText("There is a problem").then((title) => title.parentElement!);
const problems = async () => within(await summary()).getAllByRole("link");
const bar = () => screen.getByRole("progressbar").getAttribute("aria-valuenow");
const marks = () =>
  within(screen.getByRole("list", { name: "Progress" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

test("VOL-10, VOL-4, API-6: a complete application is sent under the wire's names, an alert says so and the page starts again", async () => {
  const sent = answerApplications([]);
  await fillAll();
  press("Submit");
  await waitFor(() => expect(restartForm).toHaveBeenCalledWith({ reference: "V-1234", email: "amina@example.com" }));
  expect(showAlert).toHaveBeenCalledExactlyOnceWith("Volunteer created successfully", "good");
  expect(localStorage.getItem(DRAFT_KEY)).toBeNull();
  const { key, profile_image_link, sign_image_link, ...texts } = Object.fromEntries(sent[0]!);
  expect(texts).toMatchObject({
    name: "آمنہ رضا",
    city: "Not required",
    country: "Australia",
    pref_contact: "SMS",
    skill: "First aid",
    intrest: "Events,Fundraising",
    availability: "Availability",
    em_city: "Auburn",
    em_preffered_contact: "Sms",
    website: "",
    captcha: "solved 1",
  });
  expect(key).toMatch(/^[0-9a-f-]{36}$/);
  expect([(profile_image_link as File).name, (sign_image_link as File).name]).toEqual(["me.jpg", "sign.png"]);
  expect(solveCaptcha).toHaveBeenCalledExactlyOnceWith("/api/captcha?action=volunteer");
});

test("VOL-7, VOL-9: Next on a step with errors lists each with its label, moves focus to the list and stays", async () => {
  answerApplications([]);
  open();
  type("Email", "amina@");
  press("Next");
  expect((await problems()).map(({ textContent }) => textContent)).toEqual([
    "Name is required",
    "Street Address is required",
    "State is required",
    "Post Code is required",
    "Mobile Number is required",
    "Invalid email format",
  ]);
  const box = await summary();
  await waitFor(() => expect(document.activeElement).toBe(box));
  expect(document.title).toBe("Error: Step 1 of 4: Personal | Volunteer Application | Chashma");
  expect([bar(), field("Name").getAttribute("aria-invalid")]).toEqual(["25", "true"]);
  type("Name", "Amina");
  await waitFor(() => expect(screen.queryByText("Name is required")).toBeNull());
});

test("VOL-1, VOL-8: progress bar, marks, title and focus follow the steps forwards and back", async () => {
  answerApplications([]);
  open();
  expect(marks()).toEqual(["Personal", "Skills", "Emergency", "Image"]);
  await fillPersonal();
  press("Next");
  const heading = await step("Your skills");
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect([bar(), marks()[0], document.title]).toEqual([
    "50",
    "Personal completed",
    "Step 2 of 4: Skills | Volunteer Application | Chashma",
  ]);
  press("Previous");
  await step("About you");
  expect([bar(), marks()[0], field("Name").value]).toEqual(["25", "Personal", "آمنہ رضا"]);
  expect(screen.getByLabelText<HTMLInputElement>("SMS").checked).toBe(true);
});

test("VOL-6, VOL-7: photo and signature have the same error, and can be removed again", async () => {
  const sent = answerApplications([]);
  await fillAll();
  press("Remove photo");
  press("Remove signature");
  press("Submit");
  expect((await problems()).map(({ textContent }) => textContent)).toEqual([
    "Photo: Please upload an image",
    "Signature: Please upload an image",
  ]);
  expect(screen.getAllByText("Please upload an image")).toHaveLength(2);
  expect(sent).toEqual([]);
  vi.mocked(preparePicture).mockResolvedValueOnce({ fault: "This picture is larger than 10 MB." });
  chooseFile("Choose a photo", "me.jpg");
  await screen.findByText("This picture is larger than 10 MB.");
});

test("VOL-10: what was typed is kept in the browser, comes back, and can be cleared", async () => {
  answerApplications([]);
  open();
  await fillPersonal();
  press("Next");
  await step("Your skills");
  cleanup();
  open();
  await step("Your skills");
  await screen.findByText(/Pictures are not kept/);
  press("Previous");
  await waitFor(() => expect(field("Name").value).toBe("آمنہ رضا"));
  press("Clear what I typed");
  await waitFor(() => expect(field("Name").value).toBe(""));
  expect(localStorage.getItem(DRAFT_KEY)).toBeNull();
});

test("VOL-3, VOL-9: before sending, everything is shown, each part with a link to change it and return", async () => {
  answerApplications([]);
  await fillAll();
  const review = screen.getByText("Check what you entered, then submit").parentElement!;
  for (const text of ["آمنہ رضا", "Events, Fundraising", "Auburn", "Any day"]) within(review).getByText(text);
  press("Change skills");
  await step("Your skills");
  tick("Administration");
  press("Save and go back");
  await screen.findByText("Administration, Events, Fundraising");
  expect(screen.getByText(/^me\.jpg, /)).toBeDefined();
});

test("VOL-10: the page says that the answer was lost, keeps everything, and trying again sends the same application", async () => {
  const sent = answerApplications(["cut"]);
  await fillAll();
  press("Submit");
  const box = (await screen.findByText(/We didn’t get an answer.*it will not be sent twice/)).closest("[role=alert]")!;
  expect(showAlert).toHaveBeenCalledExactlyOnceWith("Error creating volunteer");
  await waitFor(() => expect(document.activeElement).toBe(box));
  press("Try again");
  await waitFor(() => expect(restartForm).toHaveBeenCalled());
  expect(sent.map((each) => each.get("key"))).toEqual([sent[0]!.get("key"), sent[0]!.get("key")]);
});

test("VOL-10: the server's errors link to their step and field, and from there back", async () => {
  const wrong = { em_email: ["Invalid email format"], st_add: ["Street Address is required"] };
  const sent = answerApplications([refusal(422, "invalid_input", { data: wrong })]);
  await fillAll();
  press("Submit");
  await step("About you");
  expect((await problems()).map((link) => link.getAttribute("href"))).toEqual(["#street"]);
  type("Street Address", "14 Harbour Street");
  press("Save and go back");
  await step("Photo and signature");
  press("Submit");
  await waitFor(() => expect(restartForm).toHaveBeenCalled());
  expect(sent[1]!.get("key")).not.toBe(sent[0]!.get("key"));
});

longTest("VOL-11: a picture that the server refuses has an error in its place", async () => {
  answerApplications([refusal(422, "invalid_input", { data: { profile_image_link: ["It may be damaged."] } })]);
  await fillAll();
  press("Submit");
  expect((await problems()).map(({ textContent }) => textContent)).toEqual(["Photo: It may be damaged."]);
});

longTest(
  "VOL-10, API-12: a temporary refusal shows the server's sentence; a refused captcha is solved again once",
  async () => {
    const sent = answerApplications([refusal(503, "busy"), refusal(403, "captcha_failed")]);
    await fillAll();
    press("Submit");
    await screen.findByText("Said by the server.");
    press("Try again");
    await waitFor(() => expect(restartForm).toHaveBeenCalled());
    expect(sent.map((each) => each.get("captcha"))).toEqual(["solved 1", "solved 1", "solved 2"]);
  },
);

test("VOL-10: pressing twice sends once, and shows the progress", async () => {
  const sent = answerApplications([]);
  await fillAll();
  press("Submit");
  press("Submit");
  await screen.findByText("Sending… 40 %");
  await waitFor(() => expect(restartForm).toHaveBeenCalled());
  expect(sent).toHaveLength(1);
});

test("VOL-10: after the reload a thank-you with the reference is above the form, once", async () => {
  answerApplications([]);
  sessionStorage.setItem("volunteer-thanks", JSON.stringify({ reference: "V-1234", email: "amina@example.com" }));
  open();
  const thanks = await screen.findByText("Thank you. We have your application.");
  expect(thanks.parentElement?.textContent).toContain("V-1234");
  expect(sessionStorage.length).toBe(0);
});

test("VOL-1, VOL-3: without JavaScript the page says how else to apply, and what volunteers do", () => {
  const markup = renderToString(<VolunteerPage organisation={organisation} lede="Join us." form={form} />);
  const noscript = /<noscript>(.*?)<\/noscript>/s.exec(markup)?.[1];
  expect(noscript).toContain("tel:1300000000");
  expect(noscript).toContain("mailto:help@chashma.example");
  expect(markup).toContain("Fill in all fields that are not marked optional before you");
  expect(markup).not.toContain("style=");
  document.body.innerHTML = markup;
  expect([...document.querySelectorAll(".works h3")].map(({ textContent }) => textContent)).toEqual([
    "Administration",
    "Events",
    "Field Work",
    "Fundraising",
    "Newsletter Production",
    "Volunteer Coordination",
  ]);
});
