import { keepTogetherInHtml } from "#shared/keep-together.ts";
import { stackTables } from "../stack-tables.ts";

type ProseProps = {
  /** HTML that `sanitiseHtml` has passed. */
  html: string;
  className?: string;
};

/** A text that staff wrote. Its tables are lists on phones; what is still too wide scrolls inside itself, also with the keyboard. */
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
