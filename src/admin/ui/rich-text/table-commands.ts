import type { Editor } from "@tiptap/core";
import type { Command, Transaction } from "@tiptap/pm/state";
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  isInTable,
  mergeCells,
  selectedRect,
  splitCell,
} from "@tiptap/pm/tables";
import type { EditorCommand } from "./commands.ts";
import { findAround } from "./positions.ts";

const tableCommand = (label: string, command: Command): EditorCommand => ({
  label,
  run: ({ state, view }) => command(state, view.dispatch),
  canRun: ({ state }) => isInTable(state) && command(state),
});

/** The commands that the button Table offers inside a table. */
export const tableCommands: readonly EditorCommand[] = [
  tableCommand("Row above", addRowBefore),
  tableCommand("Row below", addRowAfter),
  tableCommand("Column before", addColumnBefore),
  tableCommand("Column after", addColumnAfter),
  tableCommand("Remove row", deleteRow),
  tableCommand("Remove column", deleteColumn),
  tableCommand("Join cells", mergeCells),
  tableCommand("Divide cell", splitCell),
  {
    label: "First row names the columns",
    run: toggleHeadRow,
    isOn: hasHeadRow,
    canRun: ({ state }) => isInTable(state),
  },
  {
    label: "First column names the rows",
    run: toggleHeadColumn,
    isOn: hasHeadColumn,
    canRun: ({ state }) => isInTable(state),
  },
  { label: "Remove table", run: removeTable },
];

function hasHeadRow({ state }: Editor): boolean {
  return isInTable(state) && selectedRect(state).table.firstChild!.attrs.section === "thead";
}

/** The names of columns: in the first row, which becomes the table's head. */
function toggleHeadRow(editor: Editor): boolean {
  const { map, table, tableStart } = selectedRect(editor.state);
  const isHead = !hasHeadRow(editor);
  const cells = map.cellsInRect({ left: 0, top: 0, right: map.width, bottom: 1 });
  return editor.commands.command(({ tr }) => {
    tr.setNodeMarkup(tableStart, null, { ...table.firstChild!.attrs, section: isHead ? "thead" : "tbody" });
    for (const cell of cells) setScope(tr, tableStart + cell, isHead ? "col" : null);
    return true;
  });
}

function hasHeadColumn({ state }: Editor): boolean {
  if (!isInTable(state)) return false;
  return selectedRect(state).table.lastChild!.firstChild?.attrs.scope === "row";
}

/** The names of rows: in the first column, below the names of columns. */
function toggleHeadColumn(editor: Editor): boolean {
  const { map, tableStart } = selectedRect(editor.state);
  const isHead = !hasHeadColumn(editor);
  const top = hasHeadRow(editor) ? 1 : 0;
  const cells = map.cellsInRect({ left: 0, top, right: 1, bottom: map.height });
  return editor.commands.command(({ tr }) => {
    for (const cell of cells) setScope(tr, tableStart + cell, isHead ? "row" : null);
    return true;
  });
}

/** Makes a cell the head of a column or row, or with null an ordinary cell. */
function setScope(tr: Transaction, position: number, scope: "col" | "row" | null): void {
  const { attrs, type } = tr.doc.nodeAt(position)!;
  const { headerCell, tableCell } = type.schema.nodes;
  tr.setNodeMarkup(position, scope === null ? tableCell! : headerCell!, { ...attrs, scope });
}

function removeTable(editor: Editor): boolean {
  const box = findAround(editor.state, "tableBox");
  if (box === null) return false;
  return editor.commands.deleteRange({ from: box.position, to: box.position + box.node.nodeSize });
}
