import { Icon } from "#admin/ui/icon.tsx";

/** In place of what shows somebody's faith, for those without the right to see it. */
export function Hidden({ children = "Hidden: needs a right" }: { children?: string }) {
  return (
    <span className="tagx">
      <Icon name="lock" />
      {children}
    </span>
  );
}
