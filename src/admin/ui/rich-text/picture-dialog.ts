import type { Editor } from "@tiptap/core";
import { ownPicture } from "#shared/html/allowed.ts";
import { createPictureChoice } from "../pictures/picture-choice.ts";
import { type DialogValues, openDialog } from "./dialog.ts";
import { completeAddress } from "./link-dialog.ts";
import { addParagraphAfter, findAround } from "./positions.ts";

type Size = { readonly width: number; readonly height: number };

/** Adds a picture of this site with its description and caption, or changes the picture at the cursor. */
export function openPicture(editor: Editor): void {
  const figure = findAround(editor.state, "figure");
  const { src = "", alt = "" } = figure?.node.firstChild?.attrs ?? {};
  let size: Size | null = null;
  openDialog({
    title: figure === null ? "Add a picture" : "Change the picture",
    done: figure === null ? "Add picture" : "Save picture",
    fields: [
      {
        name: "address",
        label: "Address",
        value: src,
        below: createPictureChoice,
        hint: "The address of a picture on this site. It begins with /images/ or /identity/.",
      },
      { name: "alt", label: "What it shows", hint: "In words, for people who cannot see it.", value: alt },
      {
        name: "decorative",
        label: "It is only decoration",
        kind: "check",
        value: src !== "" && alt === "" ? "yes" : "",
      },
      ...(figure === null ? [{ name: "caption", label: "Caption (optional)" }] : []),
    ],
    ...(figure !== null && {
      other: {
        label: "Remove picture",
        run: () => editor.commands.deleteRange({ from: figure.position, to: figure.position + figure.node.nodeSize }),
      },
    }),
    check: async (values) => {
      const errors = checkPicture(values);
      if (errors.address !== undefined) return errors;
      size = await measurePicture(completeAddress(values.address!));
      return size === null
        ? { address: "There is no picture at this address. Copy the address again.", ...errors }
        : errors;
    },
    save: (values) => {
      const attrs = describePicture(values, size);
      if (figure === null) addFigure(editor, attrs, values.caption ?? "");
      else {
        editor.commands.command(({ tr }) => {
          tr.setNodeMarkup(figure.position + 1, null, { ...figure.node.firstChild!.attrs, ...attrs });
          return true;
        });
      }
    },
    closed: () => editor.view.focus(),
  });
}

/** What is wrong, as a sentence for each field. */
export function checkPicture({ address = "", alt, decorative }: DialogValues): DialogValues {
  return {
    ...(ownPicture(completeAddress(address)) === undefined && {
      address: "Enter the address of a picture on this site. It begins with /images/ or /identity/.",
    }),
    ...(alt === "" && decorative === "" && { alt: "Say what the picture shows, or tick that it is only decoration." }),
  };
}

const describePicture = ({ address = "", alt, decorative }: DialogValues, size: Size | null) => ({
  src: completeAddress(address),
  alt: decorative === "yes" ? "" : alt,
  width: size === null ? null : String(size.width),
  height: size === null ? null : String(size.height),
});

function measurePicture(address: string): Promise<Size | null> {
  const image = new Image();
  image.src = address;
  return image.decode().then(
    () => ({ width: image.naturalWidth, height: image.naturalHeight }),
    () => null,
  );
}

function addFigure(editor: Editor, attrs: object, caption: string): void {
  const content = [
    { type: "picture", attrs },
    { type: "caption", content: caption === "" ? [] : [{ type: "text", text: caption }] },
  ];
  editor.commands.insertContent({ type: "figure", content });
  goOnBelow(editor, "figure");
}

/** Puts the cursor after what was added, so that the person can continue writing. */
function goOnBelow(editor: Editor, name: string): void {
  const added = findAround(editor.state, name);
  if (added !== null) addParagraphAfter(editor, added.position + added.node.nodeSize);
}
