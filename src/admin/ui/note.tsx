import type { ReactNode } from "react";
import type { IconName } from "./icon.tsx";
import { Icon } from "./icon.tsx";

const icons: Readonly<Record<"info" | "ok" | "warn" | "bad", IconName>> = {
  info: "info",
  ok: "ok",
  warn: "alert",
  bad: "alert",
};

/**
 * A message about something that is wrong or waits. `isNews`: it answers what was just done, so screen readers announce
 * it.
 */
export function Note({
  look = "info",
  title,
  isNews = false,
  children,
}: {
  look?: keyof typeof icons;
  title?: string;
  isNews?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className={look === "info" ? "note" : `note ${look}`} role={isNews ? "alert" : undefined}>
      <Icon name={icons[look]} />
      <div>
        {title && <b>{title}</b>}
        {children}
      </div>
    </div>
  );
}

/** Shown in place of an empty list: what will be listed here, or what to do if nothing was found. */
export function Empty({ title, picture, children }: { title: string; picture?: string; children?: ReactNode }) {
  return (
    <div className="empty">
      {picture && <img src={`/identity/illustrations/${picture}.svg`} alt="" width="136" height="136" />}
      <h2>{title}</h2>
      {children}
    </div>
  );
}
