import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { type EditorState, NodeSelection } from "@tiptap/pm/state";

/** The innermost node of that kind around the selection, or the selected one. */
export function findAround({ selection }: EditorState, name: string): { node: Node; position: number } | null {
  if (selection instanceof NodeSelection && selection.node.type.name === name) {
    return { node: selection.node, position: selection.from };
  }
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (node.type.name === name) return { node, position: $from.before(depth) };
  }
  return null;
}

/** Moves the cursor to the paragraph after a block: the next one if it is empty, otherwise a new one. */
export function addParagraphAfter(editor: Editor, position: number): boolean {
  const next = editor.state.doc.nodeAt(position);
  const isReady = next?.type.name === "paragraph" && next.content.size === 0;
  const chain = editor.chain();
  if (!isReady) chain.insertContentAt(position, { type: "paragraph" });
  return chain.focus(position + 1).run();
}
