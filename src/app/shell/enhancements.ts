/**
 * Parts whose markup works alone and does more with a script: `data-enhance` is the script's address, fetched when such a
 * part comes into view. The script starts every part of its kind.
 */
export function startEnhancements(): void {
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      void import(/* @vite-ignore */ (target as HTMLElement).dataset.enhance ?? "");
    }
  });
  for (const element of document.querySelectorAll("[data-enhance]")) observer.observe(element);
}
