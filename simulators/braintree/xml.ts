import type { SimulatedAnswer } from "../exchange.ts";

/** One element with its text; the SDK reads the text by the type attribute. */
export function element(name: string, value: string | number | boolean | null): string {
  if (value === null) return `<${name} nil="true"/>`;
  if (typeof value === "string") return `<${name}>${escapeXml(value)}</${name}>`;
  return `<${name} type="${typeof value === "number" ? "integer" : "boolean"}">${value}</${name}>`;
}

/** One element with others inside it. */
export function group(name: string, children: readonly string[], type?: "array" | "collection"): string {
  return `<${name}${type === undefined ? "" : ` type="${type}"`}>${children.join("")}</${name}>`;
}

/** A time of ISO 8601, to the second as Braintree has it. */
export function moment(name: string, iso: string): string {
  return `<${name} type="datetime">${iso.replace(/\.\d+Z$/, "Z")}</${name}>`;
}

export function xml(status: number, root: string): SimulatedAnswer {
  return {
    status,
    headers: { "content-type": "application/xml; charset=utf-8" },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${root}`,
  };
}

function escapeXml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
