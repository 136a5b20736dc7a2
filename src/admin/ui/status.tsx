import type { IconName } from "./icon.tsx";
import { Icon } from "./icon.tsx";

/**
 * How a state looks. Only `act`, `warn` and `bad` have a coloured background, because they need attention. Icon and
 * word say the same without colour.
 */
export type StatusLook = "ok" | "plain" | "off" | "act" | "warn" | "bad";

const icons: Readonly<Record<StatusLook, IconName>> = {
  ok: "ok",
  plain: "half",
  off: "no",
  act: "clock",
  warn: "alert",
  bad: "flag",
};

export function Status({
  look,
  icon = icons[look],
  children,
}: {
  look: StatusLook;
  icon?: IconName;
  children: string;
}) {
  return (
    <span className={look === "plain" ? "st" : `st ${look}`}>
      <Icon name={icon} />
      {children}
    </span>
  );
}
