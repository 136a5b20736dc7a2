import { keepTogether } from "#shared/keep-together.ts";

/** Adds an event's hours by the clock of the person who reads, where that is neither the event's own nor Sydney's beside it. */
export function showYourTime(element: HTMLElement): void {
  const said = timesOf(element, ":scope > time");
  if (isThisClock(said) || isThisClock(timesOf(element, ".sydney-time > time"))) return;
  const [start, end = start] = said.map((text) => new Date(text));
  const format = new Intl.DateTimeFormat("en-AU", { dateStyle: "full", timeStyle: "short" });
  const line = document.createElement("span");
  line.className = "your-time";
  line.textContent = keepTogether(`In your time: ${format.formatRange(start!, end!)}`);
  element.append(line);
}

function timesOf(element: HTMLElement, selector: string): string[] {
  return [...element.querySelectorAll<HTMLTimeElement>(selector)].map(({ dateTime }) => dateTime);
}

/** '2024-04-27T20:00:00+05:00': what a clock shows, and how far it is ahead of UTC. */
function isThisClock(times: readonly string[]): boolean {
  const isSame = (text: string) => {
    const ahead = Date.parse(`${text.slice(0, 19)}Z`) - Date.parse(text);
    return ahead === -60_000 * new Date(text).getTimezoneOffset();
  };
  return times.length > 0 && times.every(isSame);
}
