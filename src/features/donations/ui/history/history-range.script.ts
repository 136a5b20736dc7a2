import { watchRange } from "./history-range.ts";

for (const form of document.querySelectorAll<HTMLFormElement>(".history-range")) watchRange(form);
