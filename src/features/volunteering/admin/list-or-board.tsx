import { SavedFilters } from "#admin/ui/filters.tsx";
import { Empty } from "#admin/ui/note.tsx";
import type { ownTabs } from "#admin/ui/own-filters.tsx";

type Props = { readonly here: "board" | "list"; readonly own?: ReturnType<typeof ownTabs> };

/** The two views of the applications, and the filters of the list that somebody has saved. */
export function ListOrBoard({ here, own = [] }: Props) {
  const isOwn = own.some(({ isHere }) => isHere);
  return (
    <SavedFilters
      label="Views of the applications"
      saved={[
        { label: "Board", path: "/admin/volunteers", isHere: here === "board" },
        { label: "List", path: "/admin/volunteers/list", isHere: here === "list" && !isOwn },
        ...own,
      ]}
    />
  );
}

/** In place of either view, as long as nobody has applied. */
export function NoApplications() {
  return (
    <Empty title="No applications yet" picture="spot-volunteer">
      <p>Who applies to volunteer on your site appears here.</p>
    </Empty>
  );
}
