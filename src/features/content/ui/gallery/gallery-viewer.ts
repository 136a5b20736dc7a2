/** Without `scrollend` support: milliseconds without a scroll event that count as the end. */
const REST_MS = 200;

/**
 * Opens the gallery's pictures one at a time in a dialog: by swiping, its buttons, the arrow keys, Home and End. It
 * wraps around at both ends. Closing it focuses the card of the last picture shown.
 */
export function startViewer(list: HTMLElement, viewer: HTMLDialogElement): void {
  const links = [...list.querySelectorAll<HTMLAnchorElement>(".card-title a")];
  const track = viewer.querySelector<HTMLElement>(".viewer-track")!;
  const [count, title, text] = viewer.querySelectorAll(".viewer-words p");
  let now = 0;
  let rest = 0;

  /** -1 in right-to-left text, where the next picture is on the left. */
  const forwards = () => (getComputedStyle(track).direction === "rtl" ? -1 : 1);
  const announce = () => {
    count!.textContent = `Picture ${now + 1} of ${links.length}`;
    title!.textContent = links[now]!.textContent;
    text!.textContent = cardOf(links[now]!).querySelector(".says")?.textContent ?? "";
    // Load the neighbouring pictures in advance.
    for (const at of [now, now + 1, now - 1]) {
      const picture = track.children[at]?.querySelector("img");
      if (picture) picture.loading = "eager";
    }
  };
  const show = (wanted: number, isJump = false) => {
    const before = now;
    now = (wanted + links.length) % links.length;
    announce();
    track.scrollTo({
      left: forwards() * now * track.clientWidth,
      behavior: isJump || Math.abs(now - before) > 1 ? "instant" : "auto",
    });
  };

  for (const link of links) link.ariaHasPopup = "dialog";
  list.addEventListener("click", (event) => {
    const index = links.indexOf((event.target as Element).closest("a")!);
    if (index < 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (track.childElementCount === 0) track.append(...links.map(slideOf));
    viewer.showModal();
    show(index, true);
  });
  viewer.addEventListener("click", ({ target }) => {
    const by = (target as Element).closest<HTMLElement>("[data-turn]")?.dataset.turn;
    if (by) show(now + Number(by));
  });
  viewer.addEventListener("keydown", (event) => {
    const wanted = { ArrowLeft: now - forwards(), ArrowRight: now + forwards(), Home: 0, End: links.length - 1 }[
      event.key
    ];
    // Alt with an arrow key is the browser's Back or Forward.
    if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    show(wanted);
  });
  const update = () => {
    const seen = Math.round(Math.abs(track.scrollLeft) / track.clientWidth);
    if (!viewer.open || seen === now) return;
    now = seen;
    announce();
  };
  const updateLater = () => {
    clearTimeout(rest);
    rest = window.setTimeout(update, REST_MS);
  };
  if ("onscrollend" in document) track.addEventListener("scrollend", update);
  else track.addEventListener("scroll", updateLater);
  viewer.addEventListener("close", () => links[now]!.focus());
}

function cardOf(link: Element): Element {
  return link.closest(".card")!;
}

/** A copy of the card's picture, as wide as the window. */
function slideOf(link: Element): Node {
  const slide = cardOf(link).querySelector(".media")!.cloneNode(true) as Element;
  slide.className = "slide";
  for (const source of slide.querySelectorAll("[sizes]")) source.setAttribute("sizes", "100vw");
  return slide;
}
