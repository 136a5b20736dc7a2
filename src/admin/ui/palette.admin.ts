import type { HitGroup } from "../search.ts";
import { isPlainKey, setSingleKeys, singleKeysAreOn, startSingleKeys } from "./single-keys.ts";

// The palette: `/` or Ctrl K opens one box that finds screens, people, receipts and references. Without this script
// the link 'Search or go to' leads to a screen that does the same.

const ADDRESS = "/admin/find";
/** The wait after a key, in case another one follows. */
const PAUSE_MS = 120;

const link = document.querySelector<HTMLAnchorElement>(".find");
if (link !== null) {
  startPalette();
  startSingleKeys();
}

function startPalette(): void {
  const { dialog, input, list } = createDialog();
  let typing: number | undefined;
  let asked = "";

  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    void find();
  };
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>("[role=option]")];
  const choose = (step: number) => {
    const all = options();
    if (all.length === 0) return;
    const at = all.findIndex((option) => option.ariaSelected === "true");
    const next = all[(at + step + all.length) % all.length]!;
    for (const option of all) option.ariaSelected = String(option === next);
    input.setAttribute("aria-activedescendant", next.id);
    next.scrollIntoView({ block: "nearest" });
  };

  async function find(): Promise<void> {
    const text = input.value.trim();
    asked = text;
    const answer = await fetch(`${ADDRESS}.json?${new URLSearchParams({ q: text })}`).catch(() => null);
    // Ignores the answer if something else has been typed since.
    if (asked !== text) return;
    if (answer?.status === 401) {
      list.replaceChildren(createGroup(loggedOut()));
      return choose(1);
    }
    if (answer?.status === 422) return showSentence(list, (await answer.json()).problem);
    if (answer?.ok !== true) return showSentence(list, "The search did not work. Try again in a moment.");
    const groups = (await answer.json()) as readonly HitGroup[];
    if (asked !== text) return;
    if (groups.length === 0) showSentence(list, "Nothing found. Check the spelling, or search for fewer words.");
    else list.replaceChildren(...groups.map(createGroup));
    input.removeAttribute("aria-activedescendant");
    if (text !== "") choose(1);
  }

  input.addEventListener("input", () => {
    clearTimeout(typing);
    typing = window.setTimeout(find, PAUSE_MS);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const chosen = options().find((option) => option.ariaSelected === "true");
      if (chosen === undefined) return;
      if (event.ctrlKey || event.metaKey) window.open(chosen.href, "_blank");
      else location.assign(chosen.href);
    }
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  for (const opener of document.querySelectorAll<HTMLAnchorElement>(`a[href="${ADDRESS}"]`)) {
    opener.addEventListener("click", (event) => {
      event.preventDefault();
      open();
    });
  }
  document.addEventListener("keydown", (event) => {
    const isControl = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    const isSlash = event.key === "/" && isPlainKey(event) && singleKeysAreOn();
    if (!isControl && !isSlash) return;
    event.preventDefault();
    open();
  });
}

/** Leads back to the screen that the palette was opened on. */
function loggedOut(): HitGroup {
  const path = `/admin/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`;
  return { title: "You have been logged out.", icon: "lock", hits: [{ label: "Log in again", detail: "", path }] };
}

function createDialog() {
  const dialog = create("dialog", { className: "palette", ariaLabel: "Search or go to" });
  const box = create("div", { className: "q" });
  const input = create("input", { type: "text", autocomplete: "off", spellcheck: false, dir: "auto" });
  const close = create("button", { type: "button", className: "btn quiet", textContent: "Close" });
  const list = create("div", { id: "found", ariaLabel: "Found" });
  list.setAttribute("role", "listbox");
  const help = create("p", { className: "legend", textContent: "↑ ↓ choose · Enter opens · Esc closes" });
  const single = create("label", {});
  const tick = create("input", { type: "checkbox", checked: singleKeysAreOn() });
  tick.addEventListener("change", () => setSingleKeys(tick.checked));
  single.append(tick, " Use single keys: / opens this, j and k go through a list");
  help.append(single);
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-label": "Search people, receipts and references, or go to a screen",
    "aria-expanded": "true",
    "aria-controls": "found",
    "aria-autocomplete": "list",
  })) {
    input.setAttribute(name, value);
  }
  close.addEventListener("click", () => dialog.close());
  box.append(createIcon("search"), input, close);
  dialog.append(box, list, help);
  document.body.append(dialog);
  return { dialog, input, list };
}

let lastId = 0;

function createGroup({ title, icon, hits }: HitGroup): HTMLElement {
  lastId += 1;
  const group = create("div", {});
  const heading = create("p", { id: `group-${lastId}`, textContent: title });
  group.setAttribute("role", "group");
  group.setAttribute("aria-labelledby", heading.id);
  group.append(heading, ...hits.map((hit) => createOption(hit, icon)));
  return group;
}

function createOption({ label, detail, path }: HitGroup["hits"][number], icon: string): HTMLElement {
  lastId += 1;
  // Focus stays in the box; the arrow keys choose a result.
  const option = create("a", { className: "opt-row", id: `option-${lastId}`, href: path, tabIndex: -1 });
  option.setAttribute("role", "option");
  option.ariaSelected = "false";
  const words = create("span", {});
  words.append(create("bdi", { textContent: label }));
  if (detail !== "") words.append(" ", create("small", { textContent: detail }));
  option.append(createIcon(icon), words);
  return option;
}

function createIcon(name: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("class", "i");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `/identity/brand/back-office-icons.svg#i-${name}`);
  svg.append(use);
  return svg;
}

function showSentence(list: HTMLElement, text: string): void {
  list.replaceChildren(create("p", { className: "legend", textContent: text }));
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}
