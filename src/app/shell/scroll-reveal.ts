const OFFSET_PX = 200;

/**
 * Blocks rise into place while scrolling (LAY-8): once, for 800 ms, when 200 px of the block are visible. A block is
 * only hidden after scrolling has begun and while it is below the window, so that nothing is ever missing.
 */
export function startScrollReveal(): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  addEventListener("scroll", watch, { once: true, passive: true });
}

function watch() {
  const risen = new Set<Element>();
  // After a jump, both lines are reached at the same time and reported in any order.
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
    // No upper edge, so that a jump also reaches the blocks it passes over.
    { rootMargin: `1000000px 0px ${offset}px` },
  );
  return observer;
}
