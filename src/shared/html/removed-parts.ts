import type { DefaultTreeAdapterMap } from "parse5";
import { loadParser } from "./parser.ts";
import { sanitiseHtml } from "./sanitise.ts";

type Cleaned = {
  readonly html: string;
  /**
   * Describes what `sanitiseHtml` left out, as it was written: '<script>', 'style on <p>', '<a href="javascript:…">'.
   */
  readonly removed: readonly string[];
};

/** Tags that the sanitiser replaces with others that look the same. */
const renamed: Readonly<Record<string, string>> = { h1: "h2" };
const MAX_SHOWN = 80;

/** Sanitises HTML, and lists what that took away. */
export function cleanHtml(written: string): Cleaned {
  const html = sanitiseHtml(written);
  const left = countParts(html);
  const removed = [...countParts(written)].filter(([part, count]) => count > (left.get(part) ?? 0));
  return { html, removed: removed.map(([part]) => part) };
}

type Node = DefaultTreeAdapterMap["childNode"];

function countParts(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  const waiting: Node[] = [...loadParser().parseFragment(html).childNodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const part of partsOf(node)) counts.set(part, (counts.get(part) ?? 0) + 1);
    // In a loop, because a call takes a limited number of arguments.
    if ("childNodes" in node) for (const child of node.childNodes) waiting.push(child);
  }
  return counts;
}

function partsOf(node: Node): string[] {
  if (node.nodeName === "#comment") return ["<!-- a comment -->"];
  if (!("tagName" in node)) return [];
  const tag = renamed[node.tagName] ?? node.tagName;
  const attributes = node.attrs.map(({ name, value }) => {
    const isAddress = name === "href" || name === "src";
    return isAddress ? `<${tag} ${name}="${value.trim().slice(0, MAX_SHOWN)}">` : `${name} on <${tag}>`;
  });
  return [`<${tag}>`, ...attributes];
}
