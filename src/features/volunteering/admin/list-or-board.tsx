import { SavedFilters } from "#admin/ui/filters.tsx";

/** The two views of the applications. */
export function ListOrBoard({ here }: { here: "board" | "list" }) {
  return (
    <SavedFilters
      label="Views of the applications"
      saved={[
        { label: "Board", path: "/admin/volunteers", isHere: here === "board" },
        { label: "List", path: "/admin/volunteers/list", isHere: here === "list" },
      ]}
    />
  );
}
