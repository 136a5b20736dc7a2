import { createElement, createIcon } from "../rich-text/create-element.ts";
import { type ChosenPicture, fitToSend, type SendOutcome, sendPicture } from "./send-picture.ts";

type Options = {
  /** Each picture that has come, with its row. */
  readonly added?: (picture: ChosenPicture, row: HTMLElement) => void;
};

/**
 * Files that are chosen in `drop`, or dropped on it, are sent one by one, each in a row with its progress, its error, and
 * a way to stop it or try again.
 */
export function enhanceUpload(drop: HTMLElement, { added = addToList }: Options = {}): void {
  const input = drop.querySelector<HTMLInputElement>('input[type="file"]')!;
  const list = createElement("ul", { class: "ups", "aria-label": "Pictures being added" });
  const status = createElement("p", { class: "sr", role: "status" });
  // One after the other: together they would only wait for their share of the server's memory.
  let line = Promise.resolve();
  let waiting = 0;
  let [come, all] = [0, 0];

  const add = (files: Iterable<File>) => {
    for (const file of files) {
      all += 1;
      const row = createRow(file, (picture, element) => {
        come += 1;
        added(picture, element);
        say();
      });
      list.append(row.element);
      const start = () => {
        waiting += 1;
        line = line.then(row.send, row.send).finally(() => {
          waiting -= 1;
        });
      };
      row.again.addEventListener("click", start);
      start();
    }
    say();
  };
  const say = () => status.replaceChildren(`Pictures in the library: ${come} of ${all}.`);

  drop.after(list, status);
  drop.querySelector('button[type="submit"]')?.remove();
  input.addEventListener("change", () => {
    add(input.files ?? []);
    input.value = "";
  });
  acceptDrops(drop, add);
  addEventListener("beforeunload", (event) => {
    if (waiting > 0) event.preventDefault();
  });
}

function acceptDrops(drop: HTMLElement, add: (files: Iterable<File>) => void): void {
  const isOver = (over: boolean) => drop.classList.toggle("over", over);
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    isOver(true);
  });
  drop.addEventListener("dragleave", () => isOver(false));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    isOver(false);
    add(event.dataTransfer?.files ?? []);
  });
}

function createRow(file: File, added: NonNullable<Options["added"]>) {
  const place = createElement("span", { class: "ini d", "aria-hidden": true }, "…");
  const name = createElement("b", {}, createElement("bdi", {}, file.name));
  const bar = createElement("progress", { max: 1, value: 0, "aria-label": `Progress of ${file.name}` });
  const state = createElement("p", { class: "small muted" }, "Waiting");
  const stop = iconButton("x", `Stop ${file.name}`);
  const again = createElement("button", { type: "button", class: "btn quiet", hidden: true }, "Try again");
  const words = createElement("div", {}, name, state, bar);
  const element = createElement("li", {}, place, words, createElement("div", { class: "acts" }, again, stop));
  let stopSending = () => {};
  let isGone = false;
  stop.addEventListener("click", () => {
    isGone = true;
    stopSending();
    moveFocusOn(element);
    element.remove();
  });

  const show = (outcome: SendOutcome, isSmaller: boolean) => {
    bar.hidden = true;
    if ("stopped" in outcome) return;
    if ("error" in outcome) {
      again.hidden = !outcome.canRetry;
      stop.setAttribute("aria-label", `Remove ${file.name} from the list`);
      place.replaceChildren("?");
      state.className = "err";
      state.setAttribute("role", "alert");
      return state.replaceChildren(createIcon("alert"), createElement("span", {}, outcome.error));
    }
    const { picture, isNew } = outcome;
    place.replaceWith(createElement("img", { src: picture.thumbnail, alt: "", width: 48, height: 36 }));
    const isThere = isNew ? "In the library" : `Already in the library, as ${picture.name}`;
    state.replaceChildren(isSmaller ? `${isThere}. Made smaller first, because it had more than 10 MB` : isThere);
    stop.remove();
    added(picture, element);
  };
  const send = async () => {
    if (isGone) return;
    const hadFocus = document.activeElement === again;
    again.hidden = true;
    bar.hidden = false;
    state.className = "small muted";
    state.removeAttribute("role");
    if (hadFocus) stop.focus();
    state.replaceChildren("Being prepared");
    const sent = await fitToSend(file);
    if (isGone) return;
    const sending = sendPicture(sent, (part) => {
      bar.value = part;
      state.replaceChildren(
        part < 1 ? `${formatMegabytes(part * sent.size)} of ${formatMegabytes(sent.size)}` : "Being prepared",
      );
    });
    stopSending = sending.stop;
    show(await sending.done, sent !== file);
  };
  return { element, again, send };
}

const formatMegabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

function iconButton(icon: string, label: string): HTMLButtonElement {
  const button = createElement("button", { type: "button", class: "ib", "aria-label": label });
  button.append(createIcon(icon));
  return button;
}

/** To the next row, or back to where files are chosen. */
function moveFocusOn(row: HTMLElement): void {
  const other = (row.nextElementSibling ?? row.previousElementSibling)?.querySelector<HTMLElement>("button, a");
  (other ?? row.closest("form, dialog")?.querySelector<HTMLElement>('input[type="file"]'))?.focus();
}

/** Puts a picture that has come in front of the others on the screen, and links it from its row. */
function addToList(picture: ChosenPicture, row: HTMLElement): void {
  const path = picture.address.replace("/images/", "/admin/pictures/");
  row.querySelector(".acts")?.append(createElement("a", { class: "btn quiet", href: path }, `Open`));
  row.querySelector("a")?.setAttribute("aria-label", `Open ${picture.name}`);
  const list = document.querySelector(".pics");
  if (list === null || list.querySelector(`a[href="${path}"]`) !== null) return;
  const image = createElement("img", { src: picture.thumbnail, alt: "", width: 200, height: 150 });
  const name = createElement("bdi", {}, picture.name);
  const link = createElement("a", { href: path }, name, createElement("small", {}, "New"));
  list.prepend(createElement("li", { class: "pic" }, image, link));
}
