// Counts the ticked rows of a list, adds up their amounts, and ticks all of a page.

import { formatDollars } from "#shared/language.ts";

for (const form of document.querySelectorAll<HTMLFormElement>("[data-enhance=choose-rows]")) countRows(form);

function countRows(form: HTMLFormElement): void {
  const boxes = [...form.querySelectorAll<HTMLInputElement>("tbody .box")];
  const all = form.querySelector<HTMLInputElement>("[data-all]")!;
  const status = form.querySelector(".bulk [role=status]")!;
  const show = () => {
    const chosen = boxes.filter(({ checked }) => checked);
    const cents = chosen.reduce((sum, { dataset }) => sum + Number(dataset.cents), 0);
    status.textContent = chosen.length === 0 ? "" : `${chosen.length} chosen, ${formatDollars(cents)}`;
    all.checked = chosen.length === boxes.length;
    all.indeterminate = chosen.length > 0 && !all.checked;
    for (const box of boxes) box.closest("tr")!.classList.toggle("picked", box.checked);
  };
  all.hidden = false;
  form.addEventListener("change", ({ target }) => {
    if (target === all) for (const box of boxes) box.checked = all.checked;
    show();
  });
  form.addEventListener("reset", () => setTimeout(show));
  // A page that Back shows again has its ticks.
  addEventListener("pageshow", show);
}
