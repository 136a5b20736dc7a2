import { keepTogetherInHtml } from "#shared/language.ts";

type ProseProps = {
  /** HTML that `sanitiseHtml` has passed. */
  html: string;
  className?: string;
};

/** A text by staff. Tables become lists on phones; anything still too wide scrolls, with the keyboard as well. */
export function Prose({ html, className }: ProseProps) {
  const framed = stackTables(keepTogetherInHtml(html))
    .replaceAll("<table", '<div class="table-wrap" role="group" aria-label="Table" tabindex="0"><table')
    .replaceAll("</table>", "</table></div>");
  return (
    <div
      className={className === undefined ? "prose" : `prose ${className}`}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised on the way into the database and on the way out.
      dangerouslySetInnerHTML={{ __html: framed }}
    />
  );
}

const roles: Readonly<Record<string, string>> = { thead: "rowgroup", tbody: "rowgroup", tfoot: "rowgroup", td: "cell" };

/**
 * Sanitised HTML whose tables become lists on phones: each cell gets its column's name, and the roles that some
 * browsers drop when a table is laid out differently. Tables with spanning cells, or whose first row does not name the
 * columns, stay as they are.
 */
export function stackTables(html: string): string {
  return html.replace(/<table\b(?:(?!<table\b).)*?<\/table>/gs, (table) => {
    const head = /<tr\b.*?<\/tr>/s.exec(table)?.[0] ?? "";
    const canStack = head.includes("<th") && !head.includes("<td") && !/(?:col|row)span=/.test(table);
    return canStack ? stackTable(table, columnsOf(head)) : table;
  });
}

function columnsOf(head: string): string[] {
  return [...head.matchAll(/<th\b[^>]*>(.*?)<\/th>/gs)].map(([, inner = ""]) =>
    inner.replace(/<[^>]*>/g, "").replaceAll('"', "&quot;"),
  );
}

function stackTable(table: string, columns: readonly string[]): string {
  let row = -1;
  let column = 0;
  return table.replace(/<(table|thead|tbody|tfoot|tr|th|td)\b/g, (tag, name: string) => {
    if (name === "table") return `${tag} class="stacked" role="table"`;
    if (name === "tr") {
      row += 1;
      column = 0;
      return row === 0 ? `${tag} class="columns" role="row"` : `${tag} role="row"`;
    }
    if (row === 0 && name === "th") return `${tag} role="columnheader"`;
    const role = name === "th" ? "rowheader" : roles[name];
    return name === "th" || name === "td"
      ? `${tag} role="${role}" data-l="${columns[column++] ?? ""}"`
      : `${tag} role="${role}"`;
  });
}
