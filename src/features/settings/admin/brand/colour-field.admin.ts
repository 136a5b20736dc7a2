import { isHex } from "#shared/brand/oklch.ts";

// A colour is typed as the style guide of the charity has it, or picked here: the two always show the same.

for (const input of document.querySelectorAll<HTMLInputElement>("[data-enhance=colour-field]")) {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.className = "brand-picker";
  picker.value = input.value;
  picker.setAttribute("aria-label", `Pick: ${input.labels?.[0]?.textContent ?? ""}`);
  picker.addEventListener("input", () => {
    input.value = picker.value;
  });
  input.addEventListener("input", () => {
    const typed = input.value.trim().toLowerCase();
    if (isHex(typed)) picker.value = typed;
  });
  const swatch = input.parentElement?.querySelector(".brand-swatch");
  if (swatch) swatch.replaceWith(picker);
  else input.after(picker);
}
