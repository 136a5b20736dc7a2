import { createElement, createIcon } from "./create-element.ts";

type DialogField = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** A tick box is ticked if its value is "yes". */
  readonly kind?: "text" | "check" | "number";
  readonly value?: string;
  /** Stands below the input, and may fill it. */
  readonly below?: (input: HTMLInputElement) => HTMLElement;
};
export type DialogValues = Readonly<Record<string, string>>;

type DialogOptions = {
  readonly title: string;
  readonly fields: readonly DialogField[];
  readonly done: string;
  /** Another button, such as one to remove a link. */
  readonly other?: { readonly label: string; run(): void };
  /** A sentence for each field that is wrong; without any, the form is accepted. */
  check(values: DialogValues): DialogValues | Promise<DialogValues>;
  save(values: DialogValues): void;
  closed(): void;
};

let opened = 0;

/** Asks in a form in a dialog. It is outside the page's own form, so that it doesn't submit that. */
export function openDialog({ title, fields, done, other, check, save, closed }: DialogOptions): void {
  opened += 1;
  const id = `rich-text-${opened}`;
  const heading = createElement("h2", { id: `${id}-title` }, title);
  const rows = fields.map((field) => createRow(field, `${id}-${field.name}`));
  const cancel = createElement("button", { type: "button", class: "btn quiet" }, "Cancel");
  const buttons = createElement("div", { class: "acts" }, createElement("button", { class: "btn" }, done), cancel);
  const form = createElement(
    "form",
    { novalidate: true, method: "dialog" },
    heading,
    ...rows.map(({ row }) => row),
    buttons,
  );
  const dialog = createElement("dialog", { class: "rt-dialog", "aria-labelledby": heading.id }, form);
  const close = () => dialog.close();
  if (other !== undefined) {
    const button = createElement("button", { type: "button", class: "btn plain" }, other.label);
    button.addEventListener("click", () => {
      close();
      other.run();
    });
    buttons.append(button);
  }
  cancel.addEventListener("click", close);
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(rows.map(({ name, read }) => [name, read()]));
    const errors = await check(values);
    for (const row of rows) row.showError(errors[row.name]);
    const wrong = rows.find(({ name }) => errors[name] !== undefined);
    if (wrong !== undefined) return wrong.input.focus();
    close();
    save(values);
  });
  document.body.append(dialog);
  dialog.showModal();
  rows[0]?.input.focus();
}

function createRow({ name, label, hint, kind = "text", value = "", below }: DialogField, id: string) {
  const isCheck = kind === "check";
  const input = createElement("input", {
    id,
    name,
    type: isCheck ? "checkbox" : "text",
    class: isCheck ? "box" : "input",
    inputmode: kind === "number" ? "numeric" : undefined,
    autocomplete: "off",
    dir: isCheck ? undefined : "auto",
  });
  if (isCheck) input.checked = value === "yes";
  else input.value = value;
  const error = createElement("span", { class: "err", id: `${id}-error`, hidden: true });
  const help = createElement("span", { class: "hint", id: `${id}-hint` }, hint ?? "");
  const row = isCheck
    ? createElement("label", { class: "check", for: id }, input, createElement("span", {}, label))
    : createElement(
        "div",
        { class: "field" },
        createElement("label", { for: id }, label),
        ...(hint ? [help] : []),
        error,
        input,
        ...(below === undefined ? [] : [below(input)]),
      );
  const describe = (isWrong: boolean) =>
    input.setAttribute("aria-describedby", [hint ? help.id : "", isWrong ? error.id : ""].filter(Boolean).join(" "));
  if (hint) describe(false);
  return {
    name,
    row,
    input,
    read: () => (isCheck ? (input.checked ? "yes" : "") : input.value.trim()),
    showError: (sentence: string | undefined) => {
      error.hidden = sentence === undefined;
      error.replaceChildren(...(sentence === undefined ? [] : [createIcon("alert"), sentence]));
      row.classList.toggle("has-err", sentence !== undefined);
      input.ariaInvalid = sentence === undefined ? null : "true";
      if (!isCheck) describe(sentence !== undefined);
    },
  };
}
