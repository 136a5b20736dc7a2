// A colour is typed as the style guide of the charity has it, or picked here: the two always show the same.

for (const input of document.querySelectorAll<HTMLInputElement>("[data-enhance=colour]")) {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.className = "brand-picker";
  picker.value = input.value;
  picker.setAttribute("aria-label", `Pick: ${input.labels?.[0]?.textContent ?? ""}`);
  picker.addEventListener("input", () => {
    input.value = picker.value;
  });
  input.addEventListener("input", () => {
    if (/^#[0-9a-f]{6}$/i.test(input.value.trim())) picker.value = input.value.trim();
  });
  const swatch = input.parentElement?.querySelector(".brand-swatch");
  if (swatch) swatch.replaceWith(picker);
  else input.after(picker);
}
