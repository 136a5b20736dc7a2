import { startCarousel } from "#features/content/ui/carousel.ts";

for (const carousel of document.querySelectorAll<HTMLElement>(".carousel")) startCarousel(carousel);
