import { expect, test } from "vitest";
import { Application } from "./application.ts";
import { nameOffWire, SentApplication, textsOnWire } from "./contract.ts";
import { fieldNames, type Typed, untouched } from "./draft.ts";
import { atStart, type Flow, type FlowEvent, fieldsOfStep, furthestStep, reduceFlow, stepOfField } from "./steps.ts";

const filled: Typed = {
  ...untouched,
  name: "آمنہ رضا",
  street: "12 Harbour Street",
  state: "New South Wales",
  postcode: "2144",
  mobile: "0412 345 678",
  email: "amina@example.com",
  interests: ["Fundraising", "Events"],
  emergencyName: "Bilal Raza",
  emergencyPostcode: "2144",
  emergencyCity: "Auburn",
  emergencyState: "New South Wales",
  emergencyMobile: "0498765432",
  emergencyEmail: "bilal@example.com",
  emergencyPreferredContact: "SMS",
};

const after = (...events: FlowEvent[]): Flow => events.reduce(reduceFlow, atStart);
const next: FlowEvent = { type: "wentOn" };
const goTo = (step: Flow["step"], more: { isChanging?: boolean; furthest?: Flow["step"] } = {}): FlowEvent => ({
  type: "wentTo",
  place: { step, isChanging: more.isChanging ?? false },
  furthest: more.furthest ?? 4,
});

test("VOL-8: Next marks a step as done and goes on, and never past the fourth", () => {
  expect(after(next)).toEqual({ step: 2, isChanging: false, completed: [1] });
  expect(after(next, next, next)).toEqual({ step: 4, isChanging: false, completed: [1, 2, 3] });
  expect(after(next, next, next, next).step).toBe(4);
});

test("VOL-8: Previous goes back and clears the marks from there on", () => {
  expect(after(next, next, next, goTo(3))).toEqual({ step: 3, isChanging: false, completed: [1, 2] });
  expect(after(next, next, next, goTo(1))).toEqual({ step: 1, isChanging: false, completed: [] });
});

test("VOL-8: the browser's Forward goes no further than what was typed leads", () => {
  expect(after(goTo(4, { furthest: 2 }))).toEqual({ step: 2, isChanging: false, completed: [1] });
});

test("VOL-9: a Change link keeps the marks, and what follows leads back to the last step", () => {
  const changing = after(next, next, next, goTo(1, { isChanging: true }));
  expect(changing).toEqual({ step: 1, isChanging: true, completed: [1, 2, 3] });
  expect(reduceFlow(changing, next)).toEqual({ step: 4, isChanging: false, completed: [1, 2, 3] });
});

test("VOL-7: the furthest step is the first that has something missing", () => {
  expect(furthestStep(untouched)).toBe(1);
  expect(furthestStep({ ...filled, interests: [] })).toBe(2);
  expect(furthestStep({ ...filled, emergencyPreferredContact: "" })).toBe(3);
  expect(furthestStep(filled)).toBe(4);
  expect(reduceFlow(atStart, { type: "opened", step: 3, furthest: 2 }).step).toBe(2);
});

test("VOL-2, VOL-3, VOL-5: every field stands on one step, and has the default of the specification", () => {
  expect(Object.values(fieldsOfStep).flat().toSorted()).toEqual(fieldNames.toSorted());
  expect(fieldNames.toSorted()).toEqual(Object.keys(Application.shape).toSorted());
  expect([stepOfField("street"), stepOfField("skills"), stepOfField("emergencyCity"), stepOfField("photo")]).toEqual([
    1, 2, 3, 4,
  ]);
  const chosen = Object.entries(untouched).filter(([, value]) => value.length > 0);
  expect(Object.fromEntries(chosen)).toEqual({
    country: "Australia",
    preferredContact: "Email",
    availability: "Availability",
    emergencyCountry: "Australia",
  });
});

test("VOL-2, VOL-4, VOL-5: what goes out has the wire's names and spellings, and is read back as it was meant", () => {
  const application = Application.parse(filled);
  const sent = Object.fromEntries(textsOnWire(application));
  expect(sent).toEqual({
    name: "آمنہ رضا",
    st_add: "12 Harbour Street",
    city: "Not required",
    state: "New South Wales",
    country: "Australia",
    postal: "2144",
    mobile: "0412 345 678",
    email: "amina@example.com",
    pref_contact: "Email",
    skill: "",
    pr_exp: "",
    availability: "Availability",
    intrest: "Events,Fundraising",
    em_name: "Bilal Raza",
    em_postal: "2144",
    em_city: "Auburn",
    em_state: "New South Wales",
    em_country: "Australia",
    em_mobile: "0498765432",
    em_email: "bilal@example.com",
    em_preffered_contact: "Sms",
  });
  expect(SentApplication.parse(sent)).toMatchObject(application);
  expect(["em_state", "sign_image_link", "name"].map(nameOffWire)).toEqual(["emergencyState", "signature", "name"]);
});
