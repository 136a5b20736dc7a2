import type { Editor } from "@tiptap/core";
import {
  buttons,
  type EditorCommand,
  findTextKind,
  moreCommands,
  setTextKind,
  textKinds,
  undoCommands,
} from "./commands.ts";
import { createElement, createIcon } from "./create-element.ts";
import { createMenu } from "./menu.ts";
import { findAround } from "./positions.ts";
import { tableCommands } from "./table-commands.ts";

/** Updates which buttons are on and which are possible. */
type Update = () => void;

/** The bar of buttons above a text: one stop for Tab, arrows within it. Alt F10 moves the focus there, Escape back. */
export function createToolbar(editor: Editor, { showHtml }: { showHtml(): void }): HTMLElement {
  const updates: Update[] = [];
  const kind = createKindMenu(editor, updates);
  const html: EditorCommand = { label: "Edit as HTML", run: showHtml };
  const more = createMenuButton(editor, { label: "More", icon: "dots", commands: [...moreCommands, html] });
  const groups = buttons.map((group) => group.map((command) => createButton(editor, command, updates)));
  const last = undoCommands.map((command) => createButton(editor, command, updates));
  const label = createElement("label", { class: "sr", for: kind.id }, "Kind of paragraph");
  const bar = createElement(
    "div",
    { class: "bar", role: "toolbar", "aria-label": "Text" },
    label,
    kind,
    ...groups.flatMap((group) => [createElement("hr"), ...group]),
    createElement("hr"),
    more,
    createElement("span", { class: "push" }),
    ...last,
  );
  rove(bar, () => editor.view.focus());
  let isDue = false;
  editor.on("transaction", () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      if (!editor.isDestroyed) for (const update of updates) update();
    });
  });
  editor.view.dom.addEventListener("keydown", (event) => {
    // Ctrl K adds a link here; elsewhere it opens the palette.
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) event.stopPropagation();
    if (!event.altKey || event.key !== "F10") return;
    event.preventDefault();
    bar.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  for (const update of updates) update();
  return bar;
}

let count = 0;

function createKindMenu(editor: Editor, updates: Update[]): HTMLSelectElement {
  count += 1;
  const options = textKinds.map(({ label, level }) => createElement("option", { value: level }, label));
  const menu = createElement("select", { class: "select", id: `kind-of-paragraph-${count}` }, ...options);
  menu.addEventListener("change", () => setTextKind(editor, Number(menu.value)));
  updates.push(() => {
    menu.value = String(findTextKind(editor));
  });
  return menu;
}

function createButton(editor: Editor, command: EditorCommand, updates: Update[]): HTMLElement {
  const button = createElement(
    "button",
    {
      type: "button",
      class: "ib",
      "aria-label": command.label,
      title: command.label,
      "aria-keyshortcuts": command.keys,
    },
    createIcon(command.icon!),
  );
  const hasMenu = command.label === "Table";
  const menu = hasMenu ? createMenu(editor, button, tableCommands) : null;
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    if (button.ariaDisabled === "true") return;
    if (menu !== null && findAround(editor.state, "tableBox") !== null) menu.toggle();
    else command.run(editor);
  });
  updates.push(() => {
    if (hasMenu) {
      // Inside a table the button opens a menu, otherwise a dialog.
      button.ariaHasPopup = command.isOn!(editor) ? "menu" : "dialog";
      button.classList.toggle("on", command.isOn!(editor));
    } else if (command.isOn !== undefined) button.ariaPressed = String(command.isOn(editor));
    if (command.canRun !== undefined) button.ariaDisabled = String(!command.canRun(editor));
  });
  return button;
}

function createMenuButton(
  editor: Editor,
  { label, icon, commands }: { label: string; icon: string; commands: readonly EditorCommand[] },
) {
  const button = createElement(
    "button",
    { type: "button", class: "ib", "aria-label": label, title: label, "aria-haspopup": "menu" },
    createIcon(icon),
  );
  const menu = createMenu(editor, button, commands);
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => menu.toggle());
  return button;
}

/** Only one control takes the focus by Tab; the arrows lead to the others. */
function rove(bar: HTMLElement, leave: () => void): void {
  const controls = [...bar.querySelectorAll<HTMLElement>("select, button")];
  const moveTo = (control: HTMLElement) => {
    for (const one of controls) one.tabIndex = one === control ? 0 : -1;
  };
  moveTo(controls[0]!);
  bar.addEventListener("focusin", ({ target }) => {
    if (controls.includes(target as HTMLElement)) moveTo(target as HTMLElement);
  });
  bar.addEventListener("keydown", (event) => {
    const at = controls.indexOf(event.target as HTMLElement);
    if (at === -1) return;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: controls.length - 1 }[event.key];
    if (event.key === "Escape") leave();
    else if (to !== undefined) controls[(to + controls.length) % controls.length]!.focus();
    else return;
    event.preventDefault();
  });
}
