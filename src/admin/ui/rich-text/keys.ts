import { type Editor, Extension } from "@tiptap/core";
import { gapCursor } from "@tiptap/pm/gapcursor";
import { history, redo, undo } from "@tiptap/pm/history";
import { NodeSelection, Plugin } from "@tiptap/pm/state";
import { tableEditing } from "@tiptap/pm/tables";
import { openLink } from "./link-dialog.ts";
import { addParagraphAfter, findAround } from "./positions.ts";

/** The editor's keys, in addition to the usual ones. Tab keeps its meaning: it leaves the text. */
export const textKeys = Extension.create({
  name: "textKeys",
  priority: 200,
  addKeyboardShortcuts: () => ({
    "Mod-b": ({ editor }) => editor.commands.toggleMark("strong"),
    "Mod-i": ({ editor }) => editor.commands.toggleMark("em"),
    "Mod-k": ({ editor }) => {
      openLink(editor);
      return true;
    },
    "Mod-z": ({ editor }) => undo(editor.state, editor.view.dispatch),
    "Mod-y": ({ editor }) => redo(editor.state, editor.view.dispatch),
    "Shift-Mod-z": ({ editor }) => redo(editor.state, editor.view.dispatch),
    "Mod-Alt-0": ({ editor }) => editor.commands.setNode("paragraph"),
    "Mod-Alt-2": ({ editor }) => editor.commands.setNode("heading", { level: 2 }),
    "Mod-Alt-3": ({ editor }) => editor.commands.setNode("heading", { level: 3 }),
    "Mod-Alt-4": ({ editor }) => editor.commands.setNode("heading", { level: 4 }),
    "Mod-]": ({ editor }) => editor.commands.sinkListItem("listItem"),
    "Mod-[": ({ editor }) => editor.commands.liftListItem("listItem"),
    "Shift-Enter": ({ editor }) => editor.commands.insertContent({ type: "hardBreak" }),
    "Mod-Enter": ({ editor }) => {
      editor.view.dom.closest("form")?.requestSubmit();
      return true;
    },
    Enter: ({ editor }) => leaveCaption(editor) || nextDefinition(editor) || editor.commands.splitListItem("listItem"),
    Backspace: ({ editor }) => chooseFigure(editor),
  }),
  addProseMirrorPlugins: () => [history(), gapCursor(), tableEditing(), choosePictures()],
});

/** One press selects a picture together with its caption. */
function choosePictures(): Plugin {
  return new Plugin({
    props: {
      handleClickOn: (view, _position, node, nodePosition) => {
        if (node.type.name !== "picture" || !view.editable) return false;
        view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, nodePosition - 1)));
        return true;
      },
    },
  });
}

/** In a caption, Enter continues below it. */
function leaveCaption(editor: Editor): boolean {
  const { $from } = editor.state.selection;
  if ($from.parent.type.name === "tableCaption") return editor.commands.focus($from.after() + 4);
  if ($from.parent.type.name !== "caption") return false;
  return addParagraphAfter(editor, $from.after(-1));
}

/**
 * In a list of terms, Enter goes from a term to its meaning and to the next term; in an empty one it leaves the list.
 */
function nextDefinition(editor: Editor): boolean {
  const { $from, empty } = editor.state.selection;
  const item = $from.node(-1);
  const next = { term: "definition", definition: "term" }[item?.type.name ?? ""];
  if (next === undefined || !empty) return false;
  const { nodes } = editor.state.schema;
  const list = $from.node(-2);
  if (item!.textContent === "" && item!.childCount === 1 && list.childCount > 1 && list.lastChild === item) {
    const end = $from.after(-2);
    return editor
      .chain()
      .command(({ tr }) => {
        tr.delete($from.before(-1), $from.after(-1));
        return true;
      })
      .insertContentAt(end - ($from.after(-1) - $from.before(-1)), { type: "paragraph" })
      .focus()
      .run();
  }
  return editor.commands.command(({ tr }) => {
    tr.split($from.pos, 2, [{ type: nodes[next]! }, { type: nodes.paragraph! }]);
    return true;
  });
}

/** At the beginning of a caption, Backspace selects the whole figure; pressed again, it removes it. */
function chooseFigure(editor: Editor): boolean {
  const { $from, empty } = editor.state.selection;
  const figure = findAround(editor.state, "figure");
  if (!empty || $from.parentOffset > 0 || figure === null) return false;
  return editor.commands.setNodeSelection(figure.position);
}
