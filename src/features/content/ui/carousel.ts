/**
 * Turns a scroll-snap list into a carousel (HOME-4, HOME-7). Buttons scroll it by one view and wrap around at the ends.
 * With `data-every` (milliseconds) it also turns automatically until its button or focus inside stops it; it pauses
 * under the pointer and never starts under reduced motion.
 */
export function startCarousel(carousel: HTMLElement): void {
  const track = carousel.querySelector<HTMLElement>(".car-track");
  if (track === null) return;
  const turn = (by: number) => {
    // In right-to-left text, `scrollLeft` is negative.
    const forwards = getComputedStyle(track).direction === "rtl" ? -1 : 1;
    const end = track.scrollWidth - track.clientWidth;
    const isAtStart = scrolled(track) < 8;
    const isAtEnd = scrolled(track) > end - 8;
    if (by > 0 && isAtEnd) track.scrollTo({ left: 0 });
    else if (by < 0 && isAtStart) track.scrollTo({ left: forwards * end });
    else track.scrollBy({ left: forwards * by * viewWidth(track) });
  };
  for (const button of carousel.querySelectorAll<HTMLElement>("[data-turn]")) {
    button.addEventListener("click", () => {
      turn(Number(button.dataset.turn));
      track.addEventListener("scrollend", () => announce(carousel, track), { once: true });
    });
  }
  track.addEventListener("scroll", () => markDots(carousel, track), { passive: true });
  new ResizeObserver(() => markDots(carousel, track)).observe(track);
  const every = Number(carousel.dataset.every ?? 0);
  if (every > 0) rotate(carousel, track, every, () => turn(1));
  markDots(carousel, track);
  carousel.classList.add("is-live");
}

/** One view in pixels: as many whole slides as are visible, with their gaps. */
function viewWidth(track: HTMLElement): number {
  return slideWidth(track) * slidesShown(track);
}

function slideWidth(track: HTMLElement): number {
  const [first, second] = track.querySelectorAll<HTMLElement>(":scope > *");
  return first && second ? Math.abs(second.offsetLeft - first.offsetLeft) : track.clientWidth;
}

function slidesShown(track: HTMLElement): number {
  return Math.max(1, Math.round(track.clientWidth / slideWidth(track)));
}

/** Pixels from the start, in either text direction. */
function scrolled(track: HTMLElement): number {
  return Math.abs(track.scrollLeft);
}

function firstShown(track: HTMLElement): number {
  return Math.round(scrolled(track) / slideWidth(track));
}

function announce(carousel: HTMLElement, track: HTMLElement) {
  const line = carousel.querySelector(".car-ctrl [aria-live]");
  const first = firstShown(track) + 1;
  const last = Math.min(first + slidesShown(track) - 1, track.childElementCount);
  const count = track.childElementCount;
  if (line) line.textContent = first === last ? `${first} of ${count}` : `${first} to ${last} of ${count}`;
}

function markDots(carousel: HTMLElement, track: HTMLElement) {
  const dots = carousel.querySelector(".car-dots");
  if (!dots) return;
  const views = Math.ceil(track.childElementCount / slidesShown(track));
  while (dots.childElementCount < views) dots.append(document.createElement("i"));
  while (dots.childElementCount > views) dots.lastChild?.remove();
  const now = Math.min(views - 1, Math.ceil(firstShown(track) / slidesShown(track)));
  for (const [index, dot] of [...dots.children].entries()) dot.classList.toggle("on", index === now);
}

function rotate(carousel: HTMLElement, track: HTMLElement, every: number, turn: () => void) {
  const button = carousel.querySelector<HTMLElement>("[data-rotation]");
  let isWanted = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  let timer = 0;
  const show = () => {
    carousel.classList.toggle("is-rotating", isWanted);
    track.setAttribute("aria-live", isWanted ? "off" : "polite");
    if (button) button.ariaLabel = isWanted ? "Stop slide rotation" : "Start slide rotation";
    clearInterval(timer);
    if (isWanted) timer = window.setInterval(() => carousel.matches(":hover") || document.hidden || turn(), every);
  };
  button?.addEventListener("click", () => {
    isWanted = !isWanted;
    show();
  });
  // Someone with focus inside is reading or steering; it only continues when they restart it.
  carousel.addEventListener("focusin", ({ target }) => {
    if (target === button || !isWanted) return;
    isWanted = false;
    show();
  });
  show();
}
