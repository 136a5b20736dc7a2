import { createElement, createIcon } from "../rich-text/create-element.ts";
import { type ChosenPicture, LOGGED_OUT } from "./send-picture.ts";
import { enhanceUpload } from "./upload-list.ts";

/** Between two keys of somebody who types. */
const PAUSE_MS = 200;
const FAILED = "The pictures could not be read. Try again in a moment.";

let opened = 0;

/** Asks for a picture of the library over the page, or a new one. Null if none was chosen. */
export function choosePicture(): Promise<ChosenPicture | null> {
  opened += 1;
  const id = `choose-picture-${opened}`;
  const heading = createElement("h2", { id }, "Choose a picture");
  const search = createElement("input", {
    id: `${id}-q`,
    type: "search",
    class: "input",
    autocomplete: "off",
    dir: "auto",
  });
  const status = createElement("p", { class: "small muted", role: "status" });
  const list = createElement("ul", { class: "pics" });
  const more = createElement("button", { type: "button", class: "btn quiet", hidden: true }, "Show more");
  const close = createElement("button", { type: "button", class: "btn quiet" }, "Cancel");
  const drop = createDrop(`${id}-files`);
  const dialog = createElement(
    "dialog",
    { class: "rt-dialog pic-dialog", "aria-labelledby": id },
    heading,
    createElement("div", { class: "field" }, createElement("label", { for: search.id }, "Name"), search, status),
    createElement("div", {}, drop),
    createElement("div", { class: "pic-scroll" }, list),
    createElement("div", { class: "acts" }, more, close),
  );
  document.body.append(dialog);

  return new Promise((resolve) => {
    let chosen: ChosenPicture | null = null;
    const choose = (picture: ChosenPicture) => {
      chosen = picture;
      dialog.close();
    };
    const showMore = followSearch(search, { list, status, more, choose });
    more.addEventListener("click", showMore);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    const showAdded = (picture: ChosenPicture) => {
      // It may be in the library already.
      for (const { firstElementChild: image } of [...list.children]) {
        if (image?.getAttribute("src") === picture.thumbnail) image.parentElement!.remove();
      }
      list.prepend(createChoice(picture, choose));
    };
    enhanceUpload(drop, { added: showAdded });
    dialog.showModal();
    search.focus();
  });
}

type Parts = {
  readonly list: HTMLElement;
  readonly status: HTMLElement;
  readonly more: HTMLElement;
  choose(picture: ChosenPicture): void;
};

/** Shows what is found for each text, the newest first. Returns what shows the next ones. */
function followSearch(search: HTMLInputElement, { list, status, more, choose }: Parts): () => void {
  let page = 0;
  let typing: number | undefined;
  /** Somebody who types on is answered for what they have typed since. */
  let asked = 0;
  const read = async (isNext: boolean) => {
    asked += 1;
    const own = asked;
    const wanted = isNext ? page + 1 : 1;
    const query = new URLSearchParams({ q: search.value.trim(), page: String(wanted) });
    const answer = await fetch(`/admin/pictures.json?${query}`).catch(() => null);
    const found = answer?.ok ? ((await answer.json()) as { pictures: ChosenPicture[]; hasMore: boolean }) : null;
    if (own !== asked) return;
    if (found === null) return status.replaceChildren(answer?.status === 401 ? LOGGED_OUT : FAILED);
    page = wanted;
    const choices = found.pictures.map((picture) => createChoice(picture, choose));
    if (isNext) list.append(...choices);
    else list.replaceChildren(...choices);
    more.hidden = !found.hasMore;
    status.replaceChildren(list.childElementCount === 0 ? "No picture has this name." : "The newest come first.");
    if (isNext) choices[0]?.querySelector("button")?.focus();
  };
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = window.setTimeout(read, PAUSE_MS, false);
  });
  void read(false);
  return () => void read(true);
}

function createChoice(picture: ChosenPicture, choose: (picture: ChosenPicture) => void): HTMLElement {
  const image = createElement("img", { src: picture.thumbnail, alt: "", width: 200, height: 150, loading: "lazy" });
  const size = createElement("small", {}, `${picture.width} × ${picture.height}`);
  const button = createElement("button", { type: "button" }, createElement("bdi", {}, picture.name), size);
  button.addEventListener("click", () => choose(picture));
  return createElement("li", { class: "pic" }, image, button);
}

function createDrop(id: string): HTMLElement {
  const input = createElement("input", { type: "file", id, multiple: true, accept: "image/jpeg,image/png,image/webp" });
  const label = createElement("label", { for: id }, createElement("b", {}, "Add pictures"));
  const hint = createElement("p", { class: "hint" }, "JPEG, PNG or WebP, up to 10 MB each.");
  return createElement("div", { class: "drop" }, createIcon("up"), label, input, hint);
}
