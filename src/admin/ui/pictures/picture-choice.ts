import { createElement } from "../rich-text/create-element.ts";

const NOT_LOADED = "The pictures could not be loaded. Check your connection and try again.";
const pictureAddress = /^\/(images\/[0-9a-f]{32}|identity(\/[\w-]+(\.[\w-]+)*)+)$/;

/** Shows the picture whose address is in `input`, with buttons that choose another from the library or leave it out. */
export function createPictureChoice(input: HTMLInputElement): HTMLElement {
  const image = createElement("img", { alt: "", class: "picture-thumb" });
  const button = createElement("button", { type: "button", class: "btn quiet" }, "Choose a picture");
  const remove = createElement("button", { type: "button", class: "btn quiet" }, "Remove it");
  const problem = createElement("p", { class: "err", role: "alert" }, NOT_LOADED);
  const show = (address: string) => {
    image.hidden = address === "";
    remove.hidden = input.value === "";
    if (address !== "") image.src = address;
  };
  const showTyped = () => show(pictureAddress.test(input.value.trim()) ? input.value.trim() : "");
  const set = (address: string, shown: string) => {
    input.value = address;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    show(shown);
    button.focus();
  };
  input.placeholder = "No picture chosen";
  image.addEventListener("error", () => show(""));
  // Not at each key: half an address leads nowhere.
  input.addEventListener("change", showTyped);
  let isChoosing = false;
  const choose = async () => {
    problem.remove();
    // Few who open the form change its picture, so the rest is loaded for those who do.
    const dialog = await import("./choose-picture.ts").catch(() => null);
    if (dialog === null) return remove.after(problem);
    const chosen = await dialog.choosePicture();
    if (chosen === null) button.focus();
    else set(chosen.address, chosen.thumbnail);
  };
  button.addEventListener("click", async () => {
    if (isChoosing) return;
    isChoosing = true;
    await choose().finally(() => {
      isChoosing = false;
    });
  });
  remove.addEventListener("click", () => set("", ""));
  showTyped();
  return createElement("div", { class: "picture-choice" }, image, button, remove);
}

/** Puts the choice below a field that asks for a picture, in the place of the picture that the server showed. */
export function enhancePictureField(input: HTMLInputElement): void {
  const choice = createPictureChoice(input);
  const shown = input.parentElement?.querySelector(".picture-thumb");
  if (shown) shown.replaceWith(choice);
  else input.after(choice);
}
