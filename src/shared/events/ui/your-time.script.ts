import { showYourTime } from "./your-time.ts";

for (const element of document.querySelectorAll<HTMLElement>(".event-facts .event-when")) showYourTime(element);
