import { Editor } from "@tiptap/core";
import { createElement, createIcon } from "./create-element.ts";
import { textKeys } from "./keys.ts";
import { pasteCleanly } from "./paste.ts";
import { readHtml } from "./read-html.ts";
import { textParts } from "./schema.ts";
import { createToolbar } from "./toolbar.ts";
import { withinLimits } from "./within-limits.ts";
import { writeHtml } from "./write-html.ts";

const HELP = "Alt F10 goes to the buttons, and Escape back to the text.";

/**
 * Replaces a text area with the editor. The text area stays in the form, hidden, and always has the current HTML. A
 * text that the editor can't hold completely opens for reading only. 'Edit as HTML' shows the text area again.
 */
export function enhanceTextArea(area: HTMLTextAreaElement): void {
  const { frame, head, note, place, status, help } = createFrame(area);
  const say = (sentence: string) => status.replaceChildren(sentence);
  const names = nameTextbox(area, help);
  let editor: Editor | null = null;

  function open(): void {
    editor?.destroy();
    const { doc, lost } = readHtml(area.value);
    const opened = createEditor(place, doc.toJSON(), { names, isEditable: lost === null, say, changed: write });
    editor = opened;
    const toolbar = lost === null ? [createToolbar(opened, { showHtml })] : [];
    head.replaceChildren(...toolbar);
    note.replaceChildren(...(lost === null ? [] : describeLoss(lost, htmlButton(showHtml))));
    note.hidden = lost === null;
    show("text");
  }
  function write({ state }: Editor): void {
    area.value = writeHtml(state.doc);
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function show(what: "text" | "html"): void {
    frame.hidden = what === "html";
    area.hidden = what === "text";
    back.hidden = what === "text";
    for (const hint of htmlHints) hint.hidden = what === "text";
  }
  function showHtml(): void {
    show("html");
    area.focus();
  }

  const htmlHints = document.querySelectorAll<HTMLElement>(`#${CSS.escape(area.id)}-hint [data-html-only]`);
  const back = createElement("button", { type: "button", class: "btn quiet rt-back" }, "Back to the text");
  back.addEventListener("click", () => {
    say("");
    open();
    editor?.commands.focus("start");
  });
  area.before(frame);
  area.after(back);
  labelLeadsTo(area, () => (area.hidden ? editor?.commands.focus() : area.focus()));
  area.form?.addEventListener("reset", () => setTimeout(open));
  open();
}

function createFrame(area: HTMLTextAreaElement) {
  const head = createElement("div", { class: "rt-head" });
  const note = createElement("div", { class: "note warn rt-note", role: "note" });
  const place = createElement("div", { class: "rt-place" });
  const status = createElement("p", { class: "hint rt-said", role: "status" });
  const help = createElement("p", { class: "hint", id: `${area.id}-keys` }, HELP);
  const frame = createElement("div", { class: "rt" }, head, note, place, status, help);
  return { frame, head, note, place, status, help };
}

type Open = {
  readonly names: Record<string, string>;
  readonly isEditable: boolean;
  say(sentence: string): void;
  changed(editor: Editor): void;
};

function createEditor(element: HTMLElement, content: object, { names, isEditable, say, changed }: Open): Editor {
  element.replaceChildren();
  return new Editor({
    element,
    content: content as never,
    extensions: [...textParts, textKeys, withinLimits(say), pasteCleanly(say)],
    editable: isEditable,
    // The page's policy refuses style elements, and we parse HTML ourselves.
    injectCSS: false,
    enableContentCheck: true,
    enableInputRules: false,
    enablePasteRules: false,
    enableCoreExtensions: { delete: false, textDirection: false, paste: false, drop: false },
    editorProps: { attributes: { ...names, class: "rt-text", "aria-readonly": String(!isEditable) } },
    onUpdate: ({ editor }) => changed(editor),
  });
}

/** The textbox has the name, hint and error of the text area. */
function nameTextbox(area: HTMLTextAreaElement, help: HTMLElement): Record<string, string> {
  const [label] = area.labels;
  if (label !== undefined && label.id === "") label.id = `${area.id}-label`;
  const described = [area.getAttribute("aria-describedby"), help.id].filter(Boolean).join(" ");
  return {
    role: "textbox",
    "aria-multiline": "true",
    "aria-describedby": described,
    ...(label === undefined ? { "aria-label": area.ariaLabel ?? "Text" } : { "aria-labelledby": label.id }),
    ...(area.ariaInvalid === "true" && { "aria-invalid": "true" }),
  };
}

/** The label, and links from an error summary, lead to the hidden text area, which can't be focused. */
function labelLeadsTo(area: HTMLTextAreaElement, focus: () => void): void {
  for (const label of area.labels) label.addEventListener("click", focus);
  for (const link of document.querySelectorAll(`a[href="#${CSS.escape(area.id)}"]`)) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      focus();
    });
  }
}

function describeLoss({ after }: { readonly after: string }, button: HTMLElement): Element[] {
  const sentence =
    after === ""
      ? "Something at the beginning of this text cannot be shown here, so the text opens for reading only. Nothing is lost."
      : `Something after “${after}” cannot be shown here, so the text opens for reading only. Nothing is lost.`;
  return [createIcon("alert"), createElement("div", {}, createElement("p", {}, sentence), button)];
}

function htmlButton(showHtml: () => void): HTMLElement {
  const button = createElement("button", { type: "button", class: "btn quiet" }, "Edit as HTML");
  button.addEventListener("click", showHtml);
  return button;
}
