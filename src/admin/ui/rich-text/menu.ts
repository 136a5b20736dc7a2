import type { Editor } from "@tiptap/core";
import type { EditorCommand } from "./commands.ts";
import { createElement, createIcon } from "./create-element.ts";

let count = 0;

/**
 * A menu below a button of the bar. The arrows choose an entry, Enter runs it, Escape closes the menu and returns to
 * the button.
 */
export function createMenu(editor: Editor, button: HTMLElement, commands: readonly EditorCommand[]) {
  count += 1;
  const menu = createElement("div", { class: "rt-menu", role: "menu", id: `rich-text-menu-${count}`, popover: "auto" });
  button.setAttribute("aria-controls", menu.id);
  button.setAttribute("aria-expanded", "false");
  const items = () => [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
  const close = () => {
    if (menu.isConnected) menu.hidePopover();
  };

  menu.addEventListener("toggle", (event) => {
    const isOpen = event.newState === "open";
    button.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) menu.remove();
  });
  menu.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Tab") close();
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]!.focus();
  });

  function createItem(command: EditorCommand): HTMLElement {
    const isOff = command.canRun?.(editor) === false;
    const isOn = command.isOn?.(editor);
    const item = createElement(
      "button",
      {
        type: "button",
        role: isOn === undefined ? "menuitem" : "menuitemcheckbox",
        "aria-checked": isOn === undefined ? undefined : String(isOn),
        "aria-disabled": isOff ? "true" : undefined,
        "aria-keyshortcuts": command.keys,
        tabindex: -1,
      },
      command.label,
      ...(isOn ? [createIcon("tick")] : []),
    );
    item.addEventListener("click", () => {
      if (isOff) return;
      close();
      editor.view.focus();
      command.run(editor);
    });
    return item;
  }

  return {
    toggle(): void {
      if (menu.isConnected) {
        close();
        return;
      }
      menu.replaceChildren(...commands.map(createItem));
      button.closest(".rt-head")!.append(menu);
      menu.showPopover();
      place(menu, button);
      items()[0]?.focus();
    },
  };
}

/** Below its button, within the window. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { bottom, left } = button.getBoundingClientRect();
  menu.style.top = `${Math.min(bottom + 4, Math.max(8, innerHeight - menu.offsetHeight - 8))}px`;
  menu.style.setProperty("inset-inline-start", `${Math.max(8, Math.min(left, innerWidth - menu.offsetWidth - 8))}px`);
}
