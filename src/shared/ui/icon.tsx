const sprite = "/identity/brand/icons.svg";

export type IconName =
  | "alert"
  | "apple"
  | "bin"
  | "cal"
  | "check"
  | "clock"
  | "copy"
  | "down"
  | "info"
  | "left"
  | "lock"
  | "mail"
  | "menu"
  | "pause"
  | "phone"
  | "pin"
  | "play"
  | "plus"
  | "right"
  | "soc1"
  | "soc2"
  | "soc3"
  | "user"
  | "x";

/** A decorative icon from the sprite; the control around it has the name. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg aria-hidden="true" focusable="false" viewBox="0 0 24 24" className={className}>
      <use href={`${sprite}#i-${name}`} />
    </svg>
  );
}
