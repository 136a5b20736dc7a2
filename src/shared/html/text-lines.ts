import type { DefaultTreeAdapterMap } from "parse5";
import { loadParser } from "./parser.ts";
import { sanitiseHtml } from "./sanitise.ts";

type Node = DefaultTreeAdapterMap["childNode"];

const inline = new Set(["a", "abbr", "b", "bdi", "cite", "code", "dfn", "em", "i", "q", "small", "span", "strong"]);
for (const name of ["sub", "sup", "td", "th", "u"]) inline.add(name);

/** The words of some HTML, a line for each of its blocks, with the addresses of links and the words of pictures. */
export function textLines(html: string): string {
  const words = loadParser().parseFragment(sanitiseHtml(html)).childNodes.map(wordsOf).join("");
  const lines = words.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  return lines.filter((line) => line !== "").join("\n");
}

function wordsOf(node: Node): string {
  if (node.nodeName === "#text" && "value" in node) return node.value.replace(/\s+/g, " ");
  if (!("tagName" in node)) return "";
  const attribute = (name: string) => node.attrs.find((one) => one.name === name)?.value;
  const words = node.childNodes.map(wordsOf).join("");
  if (node.tagName === "img") return ` [${attribute("alt") || attribute("src")}] `;
  if (node.tagName === "a") return `${words} (${attribute("href") ?? ""})`;
  if (node.tagName === "td" || node.tagName === "th") return `${words} `;
  return inline.has(node.tagName) ? words : `\n${words}\n`;
}
