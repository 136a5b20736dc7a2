import { watchRange } from "#features/donations/ui/history/history-range.ts";

for (const form of document.querySelectorAll<HTMLFormElement>(".history-range")) watchRange(form);
