import { keepTogether } from "#shared/keep-together.ts";

/** Adds an event's hours by the clock of the person who reads, where that is another than the event's own. */
export function showYourTime(element: HTMLElement): void {
  const said = [...element.querySelectorAll("time")].map(({ dateTime }) => dateTime);
  // '2024-04-27T20:00:00+05:00': what the clock shows, and how far it is ahead of UTC.
  const isSame = said.every((text) => {
    const ahead = Date.parse(`${text.slice(0, 19)}Z`) - Date.parse(text);
    return ahead === -60_000 * new Date(text).getTimezoneOffset();
  });
  if (isSame) return;
  const [start, end = start] = said.map((text) => new Date(text));
  const format = new Intl.DateTimeFormat("en-AU", { dateStyle: "full", timeStyle: "short" });
  const line = document.createElement("span");
  line.className = "your-time";
  line.textContent = keepTogether(`In your time: ${format.formatRange(start!, end!)}`);
  element.append(line);
}
