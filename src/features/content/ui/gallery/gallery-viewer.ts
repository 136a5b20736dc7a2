/** Where the browser does not say when scrolling has come to rest: nothing moved for so long. */
const REST_MS = 200;

/**
 * Opens the gallery's pictures in a dialog, one at a time: swiped, turned by its buttons and the arrow keys, Home and End.
 * Past the last one the first follows. Closing leads back to the card of the picture that was seen last.
 */
export function startViewer(list: HTMLElement, viewer: HTMLDialogElement): void {
  const links = [...list.querySelectorAll<HTMLAnchorElement>(".card-title a")];
  const track = viewer.querySelector<HTMLElement>(".viewer-track")!;
  const [count, title, says] = viewer.querySelectorAll(".viewer-words p");
  let now = 0;
  let rest = 0;

  const tell = () => {
    count!.textContent = `Picture ${now + 1} of ${links.length}`;
    title!.textContent = links[now]!.textContent;
    says!.textContent = cardOf(links[now]!).querySelector(".says")?.textContent ?? "";
    // The neighbours are fetched before anybody asks for them.
    for (const at of [now, now + 1, now - 1]) {
      const picture = track.children[at]?.querySelector("img");
      if (picture) picture.loading = "eager";
    }
  };
  const show = (wanted: number, isJump = false) => {
    const before = now;
    now = (wanted + links.length) % links.length;
    tell();
    track.scrollTo({
      left: now * track.clientWidth,
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
    const wanted = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: links.length - 1 }[event.key];
    // With Alt an arrow goes back a page.
    if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    show(wanted);
  });
  const look = () => {
    const seen = Math.round(track.scrollLeft / track.clientWidth);
    if (!viewer.open || seen === now) return;
    now = seen;
    tell();
  };
  const lookLater = () => {
    clearTimeout(rest);
    rest = window.setTimeout(look, REST_MS);
  };
  if ("onscrollend" in document) track.addEventListener("scrollend", look);
  else track.addEventListener("scroll", lookLater);
  viewer.addEventListener("close", () => links[now]!.focus());
}

function cardOf(link: Element): Element {
  return link.closest(".card")!;
}

/** The card's picture once more, as wide as the window. */
function slideOf(link: Element): Node {
  const slide = cardOf(link).querySelector(".media")!.cloneNode(true) as Element;
  slide.className = "slide";
  for (const source of slide.querySelectorAll("[sizes]")) source.setAttribute("sizes", "100vw");
  return slide;
}
