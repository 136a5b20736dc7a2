import { dayInSydney, formatDay } from "#shared/language.ts";
import type { Draft } from "#shared/pages/preview.ts";

/** Before everything else on the page of a preview, for whoever was sent its link (CON-9). */
export function DraftLine({ version, savedAt }: Draft) {
  return (
    <aside className="draft-line" aria-label="Draft">
      <p className="wrap">
        <b>Draft: not published.</b> Only people with this link see it. Version {version}, saved on{" "}
        {formatDay(dayInSydney(savedAt))}.
      </p>
    </aside>
  );
}
