import { SavedFilters } from "#admin/ui/filters.tsx";

const views = {
  days: { label: "Days", path: "/admin/reconciliation" },
  payments: { label: "Payments to review", path: "/admin/reconciliation/payments" },
} as const;

/** The two lists of reconciliation, as tabs. */
export function ReconciliationViews({ here }: { here: keyof typeof views }) {
  return (
    <SavedFilters
      label="Lists of reconciliation"
      saved={Object.entries(views).map(([name, view]) => ({ ...view, isHere: name === here }))}
    />
  );
}
