const OFFSET_PX = 200;

/**
 * Blocks rise into place as one scrolls to them (LAY-8): 800 ms, when 200 px of the block are in view, once. A block is
 * hidden only after scrolling began and while it is still below the window, so that nothing is ever missing without it.
 */
export function startRising(): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  addEventListener("scroll", watch, { once: true, passive: true });
}

function watch() {
  const risen = new Set<Element>();
  // After a jump both lines are reached at once, and either may be told first.
  const hide = observe(OFFSET_PX, (block) => risen.has(block) || block.classList.add("will-rise"));
  const rise = observe(-OFFSET_PX, (block) => {
    risen.add(block);
    block.classList.remove("will-rise");
    block.animate([{ opacity: 0, transform: "translateY(2.5rem)" }, {}], { duration: 800, easing: "ease-in-out" });
  });
  for (const block of document.querySelectorAll("[data-rise]")) {
    if (block.getBoundingClientRect().top < innerHeight) continue;
    hide.observe(block);
    rise.observe(block);
  }
}

/** Calls back once for each block that reaches the line `offset` px below the window's lower edge. */
function observe(offset: number, reached: (block: Element) => void): IntersectionObserver {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        reached(target);
      }
    },
    // Without an upper edge: a jump to the end of the page reaches the blocks that it passes over, too.
    { rootMargin: `1000000px 0px ${offset}px` },
  );
  return observer;
}
