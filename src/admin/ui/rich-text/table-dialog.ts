import type { Editor } from "@tiptap/core";
import { type DialogValues, openDialog } from "./dialog.ts";

/** More rows or columns belong in a spreadsheet, and no phone can show them. */
const maxSize = { rows: 100, columns: 12 };

export function openTable(editor: Editor): void {
  openDialog({
    title: "Add a table",
    done: "Add table",
    fields: [
      { name: "caption", label: "Caption", hint: "Says what the table shows." },
      { name: "columns", label: "Columns", kind: "number", value: "3" },
      { name: "rows", label: "Rows", kind: "number", value: "3" },
      { name: "head", label: "The first row names the columns", kind: "check", value: "yes" },
    ],
    check: checkTable,
    save: (values) => addTable(editor, values),
    closed: () => editor.view.focus(),
  });
}

/** What is wrong, as a sentence for each field. */
export function checkTable({ rows = "", columns = "" }: DialogValues): DialogValues {
  const isWrong = (typed: string, limit: number) =>
    !/^\d{1,4}$/.test(typed) || Number(typed) < 1 || Number(typed) > limit;
  return {
    ...(isWrong(columns, maxSize.columns) && { columns: `Enter a number from 1 to ${maxSize.columns}.` }),
    ...(isWrong(rows, maxSize.rows) && { rows: `Enter a number from 1 to ${maxSize.rows}.` }),
  };
}

function addTable(editor: Editor, { rows, columns, head, caption }: DialogValues): void {
  const createRow = (isHead: boolean) => ({
    type: "tableRow",
    attrs: { section: isHead ? "thead" : "tbody" },
    content: Array.from({ length: Number(columns) }, () => ({
      type: isHead ? "headerCell" : "tableCell",
      ...(isHead && { attrs: { scope: "col" } }),
      content: [{ type: "paragraph" }],
    })),
  });
  const content = Array.from({ length: Number(rows) }, (_, row) => createRow(row === 0 && head === "yes"));
  const words = caption ? [{ type: "text", text: caption }] : [];
  editor.commands.insertContent([
    {
      type: "tableBox",
      content: [
        { type: "tableCaption", content: words },
        { type: "table", content },
      ],
    },
    { type: "paragraph" },
  ]);
  goToFirstCell(editor);
}

/** The cursor is in the paragraph after the table that was added. */
function goToFirstCell(editor: Editor): void {
  const { doc, selection } = editor.state;
  const behind = selection.$from.before();
  const box = doc.resolve(behind).nodeBefore;
  if (box?.type.name !== "tableBox") return;
  // Entering box, table, row, cell and paragraph takes one position each; the caption is skipped.
  editor.commands.setTextSelection(behind - box.nodeSize + 1 + box.firstChild!.nodeSize + 4);
}
