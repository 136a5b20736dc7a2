import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { vi } from "vitest";
import { VolunteerForm } from "#features/volunteering/ui/apply/volunteer-form.tsx";

type Answer = { readonly status: number; readonly body: object };

const done = (): Answer => ({
  status: 200,
  body: { code: "200", status: "true", message: "Volunteer created successfully", data: { reference: "V-1234" } },
});
export const refusal = (status: number, error: string, more: object = {}): Answer => ({
  status,
  body: { code: String(status), status: "false", error, message: "Said by the server.", ...more },
});

/** Answers the page in place of the server: states of another country by fetch, applications by XMLHttpRequest. */
export function answerApplications(answers: (Answer | "cut")[]) {
  const sent: FormData[] = [];
  vi.stubGlobal("fetch", async () => {
    const data = [{ id: 31, name: "Punjab" }];
    return { status: 200, text: async () => JSON.stringify({ code: "200", status: "true", message: "", data }) };
  });
  class Request {
    readonly upload: { onprogress?: (event: object) => void } = {};
    status = 0;
    responseText = "";
    onload = () => {};
    onerror = () => {};
    open(method: string, url: string) {
      if (`${method} ${url}` !== "POST /api/volunteer/create") throw new Error(`There is no answer for ${url}.`);
    }
    setRequestHeader() {}
    send(form: FormData) {
      const copy = new FormData();
      for (const [name, value] of form) copy.append(name, value);
      sent.push(copy);
      this.upload.onprogress?.({ loaded: 45, total: 100 });
      const answer = answers.shift() ?? done();
      setTimeout(() => {
        if (answer === "cut") return this.onerror();
        this.status = answer.status;
        this.responseText = JSON.stringify(answer.body);
        this.onload();
      }, 10);
    }
  }
  vi.stubGlobal("XMLHttpRequest", Request);
  return sent;
}

export const organisation = { name: "Chashma", phone: "1300 000 000", email: "help@chashma.example" };
const captcha = { provider: "altcha", challengeUrl: "/api/captcha" } as const;
const places = {
  countries: [
    { id: 1, name: "Australia", dialCode: "61" },
    { id: 3, name: "Pakistan", dialCode: "92" },
  ],
  statesOf: "Australia",
  states: [{ id: 11, name: "New South Wales" }],
};
export const form = <VolunteerForm organisation={organisation} captcha={captcha} places={places} />;
export const open = () => render(form);

export const field = (label: string) => screen.getByRole<HTMLInputElement>("textbox", { name: label });
export const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
export const tick = (label: string) => fireEvent.click(screen.getByLabelText(label));
export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
export const step = (heading: string) => screen.findByRole("heading", { name: heading });

async function choose(label: string, name: string) {
  await screen.findByRole("option", { name });
  fireEvent.change(screen.getByLabelText(label), { target: { value: name } });
}

export async function fillPersonal() {
  fireEvent.focus(field("Name"));
  type("Name", "آمنہ رضا");
  type("Street Address", "12 Harbour Street");
  await choose("State", "New South Wales");
  type("Post Code", "2144");
  type("Mobile Number", "0412 345 678");
  type("Email", "amina@example.com");
  tick("SMS");
}

async function fillEmergency() {
  await screen.findByLabelText("City");
  type("Name", "Bilal Raza");
  type("Email", "bilal@example.com");
  type("Mobile Number", "0498765432");
  type("City", "Auburn");
  await choose("State", "New South Wales");
  type("Post Code", "2000");
  tick("SMS");
}

/** Chooses a file, as the browser's dialog does. */
export function chooseFile(label: string, name: string) {
  const input = screen.getByLabelText<HTMLInputElement>(label);
  fireEvent.change(input, { target: { files: [new File(["picture"], name, { type: "image/jpeg" })] } });
}

/** Chooses a file that is taken. */
async function upload(label: string, name: string) {
  chooseFile(label, name);
  await waitFor(() => screen.getByText(new RegExp(`^${name}, `)));
}

/** Fills in all four steps, ready to submit. */
export async function fillAll() {
  open();
  await fillPersonal();
  press("Next");
  await step("Your skills");
  fireEvent.change(await screen.findByLabelText(/^Skills/), { target: { value: "First aid" } });
  tick("Fundraising");
  tick("Events");
  press("Next");
  await step("Emergency contact");
  await fillEmergency();
  press("Next");
  await step("Photo and signature");
  await screen.findByLabelText("Choose a photo");
  await upload("Choose a photo", "me.jpg");
  await upload("Upload a picture of it", "sign.png");
}
