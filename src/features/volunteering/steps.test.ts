import { expect, test } from "vitest";
import { Application } from "./application.ts";
import { nameOffWire, SentApplication, textsOnWire } from "./contract.ts";
import { draftFields, type Typed, untouched } from "./draft.ts";
import { fieldsOfStep, furthestApplicationStep, stepOfField } from "./steps.ts";

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

test("VOL-7: the furthest step is the first with something missing", () => {
  expect(furthestApplicationStep(untouched)).toBe(1);
  expect(furthestApplicationStep({ ...filled, interests: [] })).toBe(2);
  expect(furthestApplicationStep({ ...filled, emergencyPreferredContact: "" })).toBe(3);
  expect(furthestApplicationStep(filled)).toBe(4);
});

test("VOL-2, VOL-3, VOL-5: every field is on one step, and has the specification's default", () => {
  expect(Object.values(fieldsOfStep).flat().toSorted()).toEqual(draftFields.toSorted());
  expect(draftFields.toSorted()).toEqual(Object.keys(Application.shape).toSorted());
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

test("VOL-7, LOG-13: a number copied with invisible marks and other dashes is kept as if typed", () => {
  const copied = "\u202a+61\u00a0412\u2011345\u2013678\u202c";
  const { mobile, emergencyMobile } = Application.parse({ ...filled, mobile: copied, emergencyMobile: copied });
  expect([mobile, emergencyMobile]).toEqual(["+61 412-345-678", "+61 412-345-678"]);
});

test("VOL-2, VOL-4, VOL-5: an application is sent under the wire's names and spellings, and is read back unchanged", () => {
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
