const sprite = "/identity/brand/back-office-icons.svg";

export type IconName =
  | "again"
  | "alert"
  | "back"
  | "bin"
  | "book"
  | "cal"
  | "chart"
  | "chev"
  | "clock"
  | "down"
  | "drop"
  | "ext"
  | "eye"
  | "flag"
  | "half"
  | "history"
  | "home"
  | "image"
  | "info"
  | "key"
  | "left"
  | "lock"
  | "mail"
  | "menu"
  | "no"
  | "note"
  | "ok"
  | "out"
  | "page"
  | "people"
  | "phone"
  | "plus"
  | "query"
  | "receipt"
  | "right"
  | "search"
  | "shield"
  | "sliders"
  | "sort"
  | "swap"
  | "table"
  | "tick"
  | "undo"
  | "up"
  | "user"
  | "void"
  | "x";

/** A decorative icon; the control around it has the accessible name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="i" aria-hidden="true" focusable="false" viewBox="0 0 24 24">
      <use href={`${sprite}#i-${name}`} />
    </svg>
  );
}
