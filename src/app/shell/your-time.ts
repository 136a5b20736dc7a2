import { showYourTime } from "#features/content/ui/your-time.ts";

for (const element of document.querySelectorAll<HTMLElement>(".event-facts .event-when")) showYourTime(element);
