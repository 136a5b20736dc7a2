// @vitest-environment jsdom

import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Details, OwnApplication, ShownShift } from "../../applicant.ts";
import { ApplicantActions } from "./applicant-actions.tsx";
import { changePlace } from "./applicant-calls.ts";
import { ApplicantForm } from "./applicant-form.tsx";
import { ApplicantPage } from "./applicant-page.tsx";
import { ApplicantShifts } from "./applicant-shifts.tsx";

vi.mock("./applicant-calls.ts", () => ({ changePlace: vi.fn() }));
vi.mock("#shared/ui/feedback.ts", () => ({ reloadWith: vi.fn(), whileLoading: (work: Promise<unknown>) => work }));
// jsdom has no dialogs.
HTMLDialogElement.prototype.showModal = function () {
  this.open = true;
};
HTMLDialogElement.prototype.close = function () {
  this.open = false;
};
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const dialog = () => within(screen.getByRole("dialog"));

const shift: ShownShift = {
  id: "stall",
  title: "Street stall",
  place: "Auburn Road",
  notes: "",
  taken: "Fundraising",
  when: "Saturday 5 December 2026, 9:00 AM – 1:00 PM",
  roles: [],
};

test("VOLA-11: a place in a shift is given up only once the volunteer has confirmed it; a failure is said there", async () => {
  const reload = vi.fn();
  render(<ApplicantShifts id="id" shifts={[shift]} reload={reload} />);
  press(/^Withdraw/);
  expect(changePlace).not.toHaveBeenCalled();
  expect(screen.getByRole("dialog", { name: "Withdraw from this shift?" }).textContent).toContain(shift.when);
  press("Keep my place");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(changePlace).not.toHaveBeenCalled();

  vi.mocked(changePlace).mockResolvedValue({ isDone: false, text: "This shift has begun." });
  press(/^Withdraw/);
  press("Yes, withdraw");
  await waitFor(() => expect(dialog().getByText("This shift has begun.")).toBeDefined());
  expect(reload).not.toHaveBeenCalled();

  vi.mocked(changePlace).mockResolvedValue({ isDone: true, text: "You are no longer signed up." });
  press("Yes, withdraw");
  await waitFor(() => expect(reload).toHaveBeenCalledWith("You are no longer signed up."));
  expect(vi.mocked(changePlace).mock.calls).toEqual(Array(2).fill(["id", "stall", null]));
});

test("VOLA-11: a volunteer who withdraws the application reads first that they lose their roles and places", () => {
  const asked = (isVolunteer: boolean) => {
    cleanup();
    render(<ApplicantActions id="id" details={{} as Details} isVolunteer={isVolunteer} />);
    press("Withdraw my application");
    return screen.getByRole("dialog", { name: "Withdraw your application?" }).textContent;
  };
  const losses = "You will leave your roles and lose your places in coming shifts.";
  expect(asked(true)).toContain(losses);
  expect(asked(true)).not.toContain("reviewing");
  expect(asked(false)).toContain("stop reviewing your application");
  expect(asked(false)).not.toContain(losses);
});

const application: OwnApplication = {
  id: "id",
  reference: "V-7KQ2-M9XW-4TBC",
  stage: "approved",
  roles: ["Fundraising"],
  name: "Amina Raza",
  createdAt: new Date("2026-11-01T00:00:00Z"),
  decidedAt: null,
  askedAt: null,
  filesGoneAt: null,
  details: {
    street: "12 Harbour Street",
    state: "New South Wales",
    postcode: "2144",
    mobile: "0412 345 678",
    email: "amina@example.com",
    preferredContact: "Email",
    skills: "",
    experience: "",
    availability: "Availability",
    interests: ["Fundraising"],
  },
  country: "Australia",
  emergency: { name: "Bilal Raza", mobileEnd: "765" },
  hasSignature: true,
  photoUrl: null,
  shifts: [],
  pastShifts: [],
  hasHours: false,
};

function open(changes: Partial<OwnApplication>) {
  const organisation = { phone: "02 9000 1111", email: "us@example.org" };
  const parts = { organisation, actions: null, shifts: null, hoursPath: null };
  render(<ApplicantPage application={{ ...application, ...changes }} {...parts} />);
}

test("VOLA-12: a shift that has begun stays on the volunteer’s page until its hours are recorded", () => {
  open({});
  expect(screen.queryByRole("region", { name: "Your hours" })).toBeNull();
  cleanup();
  open({ pastShifts: [{ id: "one", title: "Street stall", role: "Fundraising", when: shift.when }] });
  const hours = screen.getByRole("region", { name: "Your hours" });
  expect(hours.textContent).toContain("Your hours in these shifts will be recorded.");
  expect(within(hours).getByRole("listitem").textContent).toBe(`Street stall${shift.when}, Fundraising`);
});

test("VOL-3: the applicant’s page says what the choices of availability mean, and sends them as before", () => {
  open({});
  const held = screen.getByRole("region", { name: "What we hold about you" });
  expect(within(held).getByText("Availability").nextElementSibling?.textContent).toBe("Any day");
  render(<ApplicantForm id="id" details={application.details} onSaved={vi.fn()} />);
  const choices = within(screen.getByRole("group", { name: "Availability" })).getAllByRole<HTMLInputElement>("radio");
  expect(choices.map(({ value, parentElement }) => [value, parentElement?.textContent])).toEqual([
    ["Availability", "Any day"],
    ["Weekend", "Weekends"],
  ]);
});
