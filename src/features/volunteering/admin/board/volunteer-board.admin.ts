// The board of applications: cards are dragged to another column, arrow keys lead from card to card, and M opens a
// card's moves. Without this script, and by other means than a pointer, the button Move of each card does the same.

/** Set in the account if single keys disturb, as they do people who dictate (WCAG 2.1.4); see single-keys.ts. */
const SINGLE_KEYS = "single-keys";

for (const board of document.querySelectorAll<HTMLElement>('[data-enhance="volunteer-board"]')) enhance(board);

function enhance(board: HTMLElement): void {
  let dragged: HTMLElement | null = null;
  for (const card of board.querySelectorAll<HTMLElement>(".vc")) {
    card.draggable = true;
    card.addEventListener("dragstart", (event) => {
      dragged = card;
      event.dataTransfer?.setData("text/plain", card.querySelector("h3")?.textContent ?? "");
    });
    card.addEventListener("dragend", () => {
      dragged = null;
      for (const lane of board.querySelectorAll(".over")) lane.classList.remove("over");
    });
  }
  for (const lane of board.querySelectorAll<HTMLElement>(".lane")) {
    lane.addEventListener("dragover", (event) => {
      if (dragged === null || moveTo(dragged, lane) === null) return;
      event.preventDefault();
      lane.classList.add("over");
    });
    lane.addEventListener("dragleave", () => lane.classList.remove("over"));
    lane.addEventListener("drop", (event) => {
      event.preventDefault();
      if (dragged !== null) make(moveTo(dragged, lane));
    });
  }
  board.addEventListener("keydown", (event) => {
    const isTyping = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const link = (event.target as Element).closest<HTMLElement>(".vc h3 a");
    if (isTyping || link === null) return;
    const next = nextCard(board, link, event.key);
    if (next !== undefined) {
      event.preventDefault();
      next?.focus();
    } else if (event.key === "m" && localStorage.getItem(SINGLE_KEYS) !== "off") {
      const summary = link.closest(".vc")?.querySelector<HTMLElement>("summary");
      summary?.click();
      summary?.focus();
    }
  });
}

/** The card's own button or link for the move to this column; null if the move is not permitted. */
function moveTo(card: HTMLElement, lane: HTMLElement): HTMLElement | null {
  return card.querySelector<HTMLElement>(`[data-to="${lane.dataset.stage}"]`);
}

function make(move: HTMLElement | null): void {
  if (move instanceof HTMLFormElement) move.requestSubmit();
  else move?.click();
}

/** The name that an arrow key leads to; null at an edge, undefined for another key. */
function nextCard(board: HTMLElement, from: HTMLElement, key: string): HTMLElement | null | undefined {
  const columns = [...board.querySelectorAll<HTMLElement>(".lane")].map((lane) => [
    ...lane.querySelectorAll<HTMLElement>(".vc h3 a"),
  ]);
  const x = columns.findIndex((names) => names.includes(from));
  const y = columns[x]!.indexOf(from);
  const isRightToLeft = document.dir === "rtl";
  switch (key) {
    case "ArrowUp":
    case "ArrowDown":
      return columns[x]![y + (key === "ArrowUp" ? -1 : 1)] ?? null;
    case "ArrowLeft":
    case "ArrowRight": {
      const isBack = (key === "ArrowLeft") !== isRightToLeft;
      const others = isBack ? columns.slice(0, x).reverse() : columns.slice(x + 1);
      const names = others.find(({ length }) => length > 0);
      return names === undefined ? null : names[Math.min(y, names.length - 1)]!;
    }
    default:
      return undefined;
  }
}
