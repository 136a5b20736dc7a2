import { enhanceFocalPoint } from "./focal-point.ts";

for (const frame of document.querySelectorAll<HTMLElement>("[data-enhance=focal-point]")) enhanceFocalPoint(frame);
