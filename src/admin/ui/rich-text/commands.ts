import type { Editor } from "@tiptap/core";
import { redo, redoDepth, undo, undoDepth } from "@tiptap/pm/history";
import { openAbbreviation, openLink } from "./link-dialog.ts";
import { openPicture } from "./picture-dialog.ts";
import { addParagraphAfter, findAround } from "./positions.ts";
import { openTable } from "./table-dialog.ts";

/** What a button or an entry of a menu does. */
export type EditorCommand = {
  readonly label: string;
  readonly icon?: string;
  readonly keys?: string;
  run(editor: Editor): unknown;
  /** For commands that can be on or off, such as bold. */
  isOn?(editor: Editor): boolean;
  /** Without it the command is always possible. */
  canRun?(editor: Editor): boolean;
};

/** The kinds of a paragraph, with the level of a heading. */
export const textKinds = [
  { label: "Text", level: 0 },
  { label: "Heading", level: 2 },
  { label: "Small heading", level: 3 },
  { label: "Smallest heading", level: 4 },
] as const;

/** The level of the heading with the cursor, 0 for other text. */
export function findTextKind({ state: { selection } }: Editor): number {
  const { parent } = selection.$from;
  return parent.type.name === "heading" ? (parent.attrs.level as number) : 0;
}

/** Makes the text with the cursor a heading of this level, or with 0 a paragraph. */
export function setTextKind(editor: Editor, level: number): void {
  if (level === 0) editor.commands.setNode("paragraph");
  else editor.commands.setNode("heading", { level });
}

/** Two marks that look the same: older texts may have the second. */
const toggle = (name: string, alike = name) => ({
  run: (editor: Editor) =>
    editor.isActive(alike) ? editor.chain().unsetMark(alike).unsetMark(name).run() : editor.commands.toggleMark(name),
  isOn: (editor: Editor) => editor.isActive(name) || editor.isActive(alike),
});

const list = (name: string) => ({
  run: (editor: Editor) => editor.commands.toggleList(name, "listItem"),
  isOn: (editor: Editor) => findList(editor) === name,
});

function findList({ state }: Editor): string | undefined {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const { name } = $from.node(depth).type;
    if (name === "bulletList" || name === "orderedList") return name;
  }
  return undefined;
}

const urdu = { lang: "ur", dir: "rtl" };
const none = { lang: null, dir: null };

/** If part of a line is selected, it is marked; otherwise whole paragraphs are. */
function toggleUrdu(editor: Editor): boolean {
  const { $from, $to, empty } = editor.state.selection;
  const isPart = !empty && $from.sameParent($to) && $to.pos - $from.pos < $from.parent.content.size;
  if (isPart) return editor.commands.toggleMark("span", urdu);
  const attributes = isUrdu(editor) ? none : urdu;
  return editor.commands.command(({ tr, state }) => {
    state.doc.nodesBetween($from.pos, $to.pos, (node, position) => {
      if (node.isTextblock) tr.setNodeMarkup(position, null, { ...node.attrs, ...attributes });
    });
    return true;
  });
}

const isUrdu = (editor: Editor) =>
  editor.state.selection.$from.parent.attrs.lang === "ur" || editor.isActive("span", { lang: "ur" });

/** The buttons, in groups. */
export const buttons: readonly (readonly EditorCommand[])[] = [
  [
    { label: "Bold", icon: "bold", keys: "Control+B", ...toggle("strong", "b") },
    { label: "Italic", icon: "italic", keys: "Control+I", ...toggle("em", "i") },
    { label: "Link", icon: "link", keys: "Control+K", run: openLink, isOn: (editor) => editor.isActive("link") },
  ],
  [
    { label: "List", icon: "list", ...list("bulletList") },
    { label: "Numbered list", icon: "olist", ...list("orderedList") },
    {
      label: "Quote",
      icon: "quote",
      run: (editor) => editor.commands.toggleWrap("quote"),
      isOn: (editor) => editor.isActive("quote"),
    },
  ],
  [
    {
      label: "Picture",
      icon: "image",
      run: openPicture,
      isOn: ({ state }) => findAround(state, "figure") !== null,
    },
    {
      label: "Table",
      icon: "table",
      run: openTable,
      isOn: ({ state }) => findAround(state, "tableBox") !== null,
    },
  ],
];

/** Behind 'More'. */
export const moreCommands: readonly EditorCommand[] = [
  { label: "Urdu, right to left", run: toggleUrdu, isOn: isUrdu },
  {
    label: "Item further in",
    keys: "Control+]",
    run: (editor) => editor.commands.sinkListItem("listItem"),
    canRun: (editor) => editor.can().sinkListItem("listItem"),
  },
  {
    label: "Item further out",
    keys: "Control+[",
    run: (editor) => editor.commands.liftListItem("listItem"),
    canRun: (editor) => editor.can().liftListItem("listItem"),
  },
  { label: "Horizontal line", run: (editor) => editor.commands.insertContent({ type: "rule" }) },
  {
    label: "Paragraph below",
    run: (editor) => addParagraphAfter(editor, editor.state.selection.$to.after(1)),
    canRun: ({ state }) => state.selection.$to.depth > 0,
  },
  { label: "Abbreviation", run: openAbbreviation, isOn: (editor) => editor.isActive("abbr") },
  { label: "Raised", ...toggle("sup") },
  { label: "Lowered", ...toggle("sub") },
  { label: "Plain text", run: (editor) => editor.commands.unsetAllMarks() },
];

/** At the end of the bar. */
export const undoCommands: readonly EditorCommand[] = [
  {
    label: "Undo",
    icon: "undo",
    keys: "Control+Z",
    run: ({ state, view }) => undo(state, view.dispatch),
    canRun: ({ state }) => undoDepth(state) > 0,
  },
  {
    label: "Redo",
    icon: "redo",
    keys: "Control+Y",
    run: ({ state, view }) => redo(state, view.dispatch),
    canRun: ({ state }) => redoDepth(state) > 0,
  },
];
