const openButton = '.site-head [aria-expanded="true"]';

/** Menu groups and user menu: a click opens or closes one; Escape, a click elsewhere and losing focus close it. */
export function startDisclosures(): void {
  document.addEventListener("click", ({ target }) => {
    const pressed = (target as Element).closest<HTMLElement>(".site-head [aria-controls]");
    const opens = pressed?.ariaExpanded === "false";
    if ((target as Element).closest(".flyout") === null) closeOpen();
    if (pressed !== null && opens) setOpen(pressed, true);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeOpen()?.focus();
  });
  document.querySelector(".site-head")?.addEventListener("focusout", (event) => {
    const item = document.querySelector(openButton)?.parentElement;
    const next = (event as FocusEvent).relatedTarget as Node | null;
    if (item?.contains(event.target as Node) && next !== null && !item.contains(next)) closeOpen();
  });
}

function closeOpen(): HTMLElement | null {
  const button = document.querySelector<HTMLElement>(openButton);
  if (button !== null) setOpen(button, false);
  return button;
}

function setOpen(button: HTMLElement, isOpen: boolean) {
  button.ariaExpanded = String(isOpen);
  const list = document.getElementById(button.getAttribute("aria-controls") ?? "");
  if (list !== null) list.hidden = !isOpen;
}
