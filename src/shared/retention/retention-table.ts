import { escapeText } from "#shared/html/sanitise.ts";
import type { RetentionRule } from "./retention.ts";

/** The table of what is kept, as the privacy policy shows it. */
export function retentionTable(rules: readonly RetentionRule[]): string {
  const rows = rules.map(({ where, what, why, kept, afterwards }) => {
    const cells = [what, why, `${kept} ${afterwards}`].map((text) => `<td>${escapeText(text)}</td>`);
    return `<tr><th scope="row">${escapeText(where)}</th>${cells.join("")}</tr>`;
  });
  const head = ["Where", "What", "Why", "How long we keep it"];
  return [
    `<table><thead><tr>${head.map((text) => `<th scope="col">${text}</th>`).join("")}</tr></thead>`,
    `<tbody>${rows.join("")}</tbody></table>`,
  ].join("");
}
