/** Browsers that know `command` open and close the menu panel by markup alone; this serves those that do not yet. */
export function startPanel(): void {
  if ("command" in HTMLButtonElement.prototype) return;
  document.addEventListener("click", ({ target }) => {
    const button = (target as Element).closest("[commandfor]");
    const panel = document.getElementById(button?.getAttribute("commandfor") ?? "");
    if (!(panel instanceof HTMLDialogElement)) return;
    if (panel.open) panel.close();
    else panel.showModal();
  });
}
