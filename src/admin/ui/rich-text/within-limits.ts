import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { fits } from "./write-html.ts";

const TOO_MUCH =
  "That is more than one page can hold, so the text stays as it was. Divide it between two pages, or use fewer lists and tables.";

/** Refuses a change after which the site would keep only the words of a text. */
export function withinLimits(say: (sentence: string) => void): Extension {
  return Extension.create({
    name: "withinLimits",
    addProseMirrorPlugins: () => [
      new Plugin({
        filterTransaction: ({ docChanged, doc }) => {
          if (!docChanged || fits(doc)) return true;
          say(TOO_MUCH);
          return false;
        },
      }),
    ],
  });
}
