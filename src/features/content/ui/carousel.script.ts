import { startCarousel } from "./carousel.ts";

for (const carousel of document.querySelectorAll<HTMLElement>(".carousel")) startCarousel(carousel);
