import type { ReactNode } from "react";
import type { IconName } from "./icon.tsx";
import { Icon } from "./icon.tsx";

const icons: Readonly<Record<"info" | "ok" | "warn" | "bad", IconName>> = {
  info: "info",
  ok: "ok",
  warn: "alert",
  bad: "alert",
};

/** What is wrong or waits, beside its cause. `isNews`: it is the answer to what was just done, and is read out. */
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

/** A list without rows: what will stand here, or what to do when nothing was found. */
export function Empty({ title, picture, children }: { title: string; picture?: string; children?: ReactNode }) {
  return (
    <div className="empty">
      {picture && <img src={`/identity/illustrations/${picture}.svg`} alt="" width="136" height="136" />}
      <h2>{title}</h2>
      {children}
    </div>
  );
}
