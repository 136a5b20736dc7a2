import { type Editor, getMarkRange } from "@tiptap/core";
import { safeAddress } from "#shared/html/allowed.ts";
import { type DialogValues, openDialog } from "./dialog.ts";

/** Completes a typed address: a site's name alone becomes a web address, an email address a `mailto:`. */
export function completeAddress(typed: string): string {
  const address = typed.trim();
  if (/^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(address)) return `mailto:${address}`;
  if (/^(?:[a-z\d-]+\.)+[a-z]{2,}(?:[/?#].*)?$/i.test(address)) return `https://${address}`;
  const own = `${location.origin}/`;
  return address.startsWith(own) ? address.slice(own.length - 1) : address;
}

export function openLink(editor: Editor): void {
  const range = selectWholeMark(editor, "link");
  const { from, to, empty } = editor.state.selection;
  const href = (editor.getAttributes("link").href as string | undefined) ?? "";
  const hasText = !empty || range;
  openDialog({
    title: href === "" ? "Add a link" : "Change the link",
    done: href === "" ? "Add link" : "Save link",
    fields: [
      {
        name: "address",
        label: "Address",
        hint: "A page on this site, such as /refunds, another site, or an email address.",
        value: href.replace(/^mailto:/, ""),
      },
      ...(hasText ? [] : [{ name: "text", label: "Link text" }]),
    ],
    ...(href !== "" && { other: { label: "Remove link", run: () => editor.commands.unsetMark("link") } }),
    check: checkLink,
    save: ({ address = "", text }) => {
      const mark = { type: "link", attrs: { href: completeAddress(address) } };
      if (hasText) editor.chain().setTextSelection({ from, to }).setMark("link", mark.attrs).setTextSelection(to).run();
      else editor.commands.insertContent({ type: "text", text: text || address, marks: [mark] });
    },
    closed: () => editor.view.focus(),
  });
}

/** What is wrong, as a sentence for the field. */
export function checkLink({ address = "" }: DialogValues): DialogValues {
  if (address === "") return { address: "Enter the address that the link leads to." };
  if (safeAddress(completeAddress(address)) === undefined) {
    return {
      address:
        "Enter a page on this site that begins with /, an address that begins with https://, or an email address.",
    };
  }
  return {};
}

export function openAbbreviation(editor: Editor): void {
  selectWholeMark(editor, "abbr");
  const { from, to, empty } = editor.state.selection;
  const title = (editor.getAttributes("abbr").title as string | null | undefined) ?? "";
  const word = editor.state.doc.textBetween(from, to);
  openDialog({
    title: "Abbreviation",
    done: "Save",
    fields: [
      ...(empty ? [{ name: "text", label: "Abbreviation" }] : []),
      { name: "title", label: "What it stands for", value: title, ...(word !== "" && { hint: `In full: ${word}` }) },
    ],
    ...(title !== "" && { other: { label: "Remove", run: () => editor.commands.unsetMark("abbr") } }),
    check: (values) => ({
      ...(values.title === "" && { title: "Enter the words that it stands for." }),
      ...(values.text === "" && { text: "Enter the abbreviation." }),
    }),
    save: ({ title: words = "", text }) => {
      const mark = { type: "abbr", attrs: { title: words } };
      if (!empty) editor.chain().setTextSelection({ from, to }).setMark("abbr", mark.attrs).setTextSelection(to).run();
      else editor.commands.insertContent({ type: "text", text: text ?? "", marks: [mark] });
    },
    closed: () => editor.view.focus(),
  });
}

/** If nothing is selected, the whole marked passage with the cursor is meant. */
function selectWholeMark(editor: Editor, name: string): boolean {
  const { $from, empty } = editor.state.selection;
  const range = empty ? getMarkRange($from, editor.schema.marks[name]!) : undefined;
  if (range) editor.commands.setTextSelection(range);
  return range !== undefined;
}
