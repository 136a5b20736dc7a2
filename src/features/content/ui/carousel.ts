/**
 * Makes a scroll-snap list a carousel (HOME-4, HOME-7): buttons turn it by one view and wrap round at the ends. With
 * `data-every` it turns by itself until the button or focus inside stops it; it waits while a pointer rests on it, and
 * never begins under reduced motion.
 */
export function startCarousel(carousel: HTMLElement): void {
  const track = carousel.querySelector<HTMLElement>(".car-track");
  if (track === null) return;
  const turn = (by: number) => {
    const end = track.scrollWidth - track.clientWidth;
    const isAtStart = track.scrollLeft < 8;
    const isAtEnd = track.scrollLeft > end - 8;
    if (by > 0 && isAtEnd) track.scrollTo({ left: 0 });
    else if (by < 0 && isAtStart) track.scrollTo({ left: end });
    else track.scrollBy({ left: by * viewWidth(track) });
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

/** One view: as many whole slides as show at once, with their gaps. */
function viewWidth(track: HTMLElement): number {
  return slideWidth(track) * slidesShown(track);
}

function slideWidth(track: HTMLElement): number {
  const [first, second] = track.children as unknown as HTMLElement[];
  return first && second ? second.offsetLeft - first.offsetLeft : track.clientWidth;
}

function slidesShown(track: HTMLElement): number {
  return Math.max(1, Math.round(track.clientWidth / slideWidth(track)));
}

function firstShown(track: HTMLElement): number {
  return Math.round(track.scrollLeft / slideWidth(track));
}

function announce(carousel: HTMLElement, track: HTMLElement) {
  const line = carousel.querySelector(".car-ctrl [aria-live]");
  const first = firstShown(track) + 1;
  const last = Math.min(first + slidesShown(track) - 1, track.childElementCount);
  if (line) line.textContent = `${first === last ? first : `${first} to ${last}`} of ${track.childElementCount}`;
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
    if (button) button.ariaLabel = `${isWanted ? "Stop" : "Start"} slide rotation`;
    clearInterval(timer);
    if (isWanted) timer = window.setInterval(() => carousel.matches(":hover") || document.hidden || turn(), every);
  };
  button?.addEventListener("click", () => {
    isWanted = !isWanted;
    show();
  });
  // Whoever is inside reads or steers: it goes on only when they start it again.
  carousel.addEventListener("focusin", ({ target }) => {
    if (target === button || !isWanted) return;
    isWanted = false;
    show();
  });
  show();
}
