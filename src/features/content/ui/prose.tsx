type ProseProps = {
  /** HTML that `sanitiseHtml` has passed. */
  html: string;
  className?: string;
};

/** A text that staff wrote. A table scrolls inside itself, also with the keyboard, and is a list where it has little room. */
export function Prose({ html, className }: ProseProps) {
  const framed = html.replace(
    /<table.*?<\/table>/gs,
    (table) => `<div class="table-wrap" role="group" aria-label="Table" tabindex="0">${labelCells(table)}</div>`,
  );
  return (
    <div
      className={className === undefined ? "prose" : `prose ${className}`}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised on the way into the database and on the way out.
      dangerouslySetInnerHTML={{ __html: framed }}
    />
  );
}

/** Gives each cell the heading of its column, which the list shows before it. */
function labelCells(table: string): string {
  const [head = ""] = /<thead.*?<\/thead>/s.exec(table) ?? [];
  const labels = [...head.matchAll(/<th\b.*?>(.*?)<\/th>/gs)].map(([, label = ""]) => label.replace(/<[^>]*>/g, ""));
  const body = table.slice(table.indexOf(head) + head.length);
  const labelled = body.replace(/<tr\b.*?<\/tr>/gs, (row) => {
    let column = 0;
    return row.replace(/<t[hd]\b/g, (cell) => {
      const label = labels[column++];
      return label && cell === "<td" ? `<td data-l="${label.replaceAll('"', "&quot;")}"` : cell;
    });
  });
  return table.slice(0, table.indexOf(head) + head.length) + labelled;
}
