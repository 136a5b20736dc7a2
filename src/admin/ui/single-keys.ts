// Keys of one letter: `g` and then a section's key goes there; j and k go to the next and previous row of a list, which
// Enter opens. They can be switched off, because they disturb people who dictate (WCAG 2.1.4).

const SETTING = "single-keys";
/** How long `g` waits for the section's key. */
const WAIT_MS = 2000;

export const singleKeysAreOn = (): boolean => localStorage.getItem(SETTING) !== "off";
export const setSingleKeys = (isOn: boolean): void => localStorage.setItem(SETTING, isOn ? "on" : "off");

/** Whether the key was pressed alone, and not to type. */
export const isPlainKey = ({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && !isTyping(target) && document.querySelector("dialog[open]") === null;

/** A dialog's field that had focus when the dialog closed keeps it, unseen, until the next frame. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches("input, textarea, select, [contenteditable]") &&
  target.checkVisibility();

export function startSingleKeys(): void {
  let goesUntil = 0;
  document.addEventListener("keydown", (event) => {
    if (!isPlainKey(event) || !singleKeysAreOn()) return;
    if (event.timeStamp < goesUntil) {
      goesUntil = 0;
      document.querySelector<HTMLAnchorElement>(`.rail a[data-key="${CSS.escape(event.key)}"]`)?.click();
    } else if (event.key === "g") {
      goesUntil = event.timeStamp + WAIT_MS;
    } else if (event.key === "j" || event.key === "k") {
      focusRow(event.key === "j" ? 1 : -1);
    }
  });
}

/** The link of each row of the screen's tables. */
export const listRowLinks = (): HTMLAnchorElement[] =>
  [...document.querySelectorAll<HTMLTableRowElement>("main tbody tr")].flatMap(
    (row) => row.querySelector<HTMLAnchorElement>("th a, a") ?? [],
  );

/** Moves the focus to the link of the next row, or of the row before; from elsewhere to the first row. */
function focusRow(step: number): void {
  const links = listRowLinks();
  const at = links.findIndex((link) => link.closest("tr")!.contains(document.activeElement));
  links[at === -1 ? 0 : at + step]?.focus();
}
