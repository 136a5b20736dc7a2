import { deviceTimeZone, keepTogether } from "#shared/language.ts";
import { formatTimes } from "../event-times.ts";

/** Adds the event's time on the reader's clock, unless the page already shows it. */
export function showYourTime(element: HTMLElement): void {
  const shownTimes = timesOf(element, ":scope > time");
  if (isThisClock(shownTimes) || isThisClock(timesOf(element, ".sydney-time > time"))) return;
  const [startsAt, endsAt = startsAt] = shownTimes.map((text) => new Date(text));
  const clock = { timeZone: deviceTimeZone(), isAllDay: false };
  const times = formatTimes({ startsAt: startsAt!, endsAt: endsAt!, ...clock });
  const line = document.createElement("span");
  line.className = "your-time";
  line.textContent = keepTogether(`In your time: ${times}`);
  element.append(line);
}

function timesOf(element: HTMLElement, selector: string): string[] {
  return [...element.querySelectorAll<HTMLTimeElement>(selector)].map(({ dateTime }) => dateTime);
}

/** Whether this device's clock shows the same local time, from '2024-04-27T20:00:00+05:00'. */
function isThisClock(times: readonly string[]): boolean {
  const isSame = (text: string) => {
    const ahead = Date.parse(`${text.slice(0, 19)}Z`) - Date.parse(text);
    return ahead === -60_000 * new Date(text).getTimezoneOffset();
  };
  return times.length > 0 && times.every(isSame);
}
