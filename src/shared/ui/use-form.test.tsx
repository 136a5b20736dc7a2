// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type Form, useForm } from "./use-form.ts";

const Fields = z.object({
  name: z.string().min(1, "Enter your name."),
  age: z.string().regex(/^\d+$/, "Enter a number."),
  way: z.enum(["SMS", "Email"], "Choose one."),
  days: z.array(z.string()),
});
type Fields = z.output<typeof Fields>;

let form: Form<Fields>;
let sent: Fields[];
let container: HTMLElement;

beforeEach(() => {
  sent = [];
  container = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  cleanup();
  container.remove();
});

/** Its second page, as the steps of a form do, takes the controls off the page. */
function Controls() {
  form = useForm<Fields>(Fields);
  const [isFirst, setFirst] = useState(true);
  const submit = form.submit(
    (fields) => sent.push(fields),
    () => undefined,
  );
  return (
    <form onSubmit={submit} data-testid="form">
      {isFirst && (
        <>
          <input aria-label="name" {...form.register("name")} />
          <input aria-label="age" {...form.register("age", { flagsEmpty: true })} />
          {["SMS", "Email"].map((way) => (
            <input key={way} type="radio" aria-label={way} value={way} {...form.register("way")} />
          ))}
          {["Monday", "Tuesday"].map((day) => (
            <input key={day} type="checkbox" aria-label={day} value={day} {...form.register("days")} />
          ))}
        </>
      )}
      <output>{JSON.stringify([form.errors.name, form.errors.age, form.watch("name")])}</output>
      <button type="button" onClick={() => setFirst(!isFirst)}>
        Turn
      </button>
    </form>
  );
}

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const turn = () => fireEvent.click(screen.getByText("Turn"));
const type = (label: string, value: string) => fireEvent.change(input(label), { target: { value } });
const submit = () => fireEvent.submit(screen.getByTestId("form"));
/** The errors of name and age, and the watched name. */
const shown = () => JSON.parse(screen.getByRole("status").textContent ?? "");

test("what was typed, chosen and ticked before the script ran counts", () => {
  container.innerHTML = renderToString(<Controls />);
  input("name").value = "Sana";
  input("Email").checked = true;
  input("Tuesday").checked = true;
  render(<Controls />, { container, hydrate: true });
  expect(form.values()).toEqual({ name: "Sana", age: "", way: "Email", days: ["Tuesday"] });
  expect([input("name").value, input("SMS").checked, input("Email").checked]).toEqual(["Sana", false, true]);
  expect(shown()).toEqual([null, null, "Sana"]);
});

test("a control that is drawn again shows its value, and one that is not drawn keeps it", async () => {
  render(<Controls />);
  type("name", "Sana");
  fireEvent.click(input("Email"));
  for (const day of ["Monday", "Tuesday"]) fireEvent.click(input(day));
  turn();
  form.setValue("age", "31");
  expect(form.values()).toEqual({ name: "Sana", age: "31", way: "Email", days: ["Monday", "Tuesday"] });
  submit();
  expect(sent).toEqual([form.values()]);
  turn();
  expect(["name", "age"].map((label) => input(label).value)).toEqual(["Sana", "31"]);
  expect(["SMS", "Email", "Monday", "Tuesday"].map((label) => input(label).checked)).toEqual([false, true, true, true]);
});

test("LAY-12: a field is checked when it is left, an empty one only if it asks for that, and on each change while it is wrong", () => {
  render(<Controls />);
  type("age", "x");
  expect(shown()).toEqual([null, null, ""]);
  fireEvent.blur(input("age"));
  fireEvent.blur(input("name"));
  expect(shown()).toEqual([null, "Enter a number.", ""]);
  type("age", "31");
  expect(shown()).toEqual([null, null, ""]);
  type("age", "");
  fireEvent.blur(input("age"));
  expect(shown()).toEqual([null, "Enter a number.", ""]);
});

test("LAY-11: submitting shows every error and sends nothing; from then on each change is checked", () => {
  render(<Controls />);
  submit();
  expect(shown()).toEqual(["Enter your name.", "Enter a number.", ""]);
  type("name", "Sana");
  expect(shown()).toEqual([null, "Enter a number.", "Sana"]);
  type("name", "");
  expect(shown()).toEqual(["Enter your name.", "Enter a number.", ""]);
  expect(sent).toEqual([]);
});

test("an error of the server stays when its field is left, until the field is changed", () => {
  render(<Controls />);
  type("age", "31");
  form.addErrors({ age: "Too young." });
  fireEvent.blur(input("age"));
  expect(form.errors.age).toBe("Too young.");
  type("age", "32");
  expect(form.errors.age).toBeUndefined();
});

test("a reset empties the fields and their errors, and no later change is checked until the next submission", () => {
  render(<Controls />);
  submit();
  form.reset({ name: "", age: "", way: "SMS", days: [] });
  type("name", "S");
  type("name", "");
  expect(shown()).toEqual([null, null, ""]);
  expect([input("SMS").checked, input("Monday").checked]).toEqual([true, false]);
});
