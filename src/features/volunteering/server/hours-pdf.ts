import type { DocumentLook } from "#shared/brand/document-look.ts";
import { formatDay, formatList, plural } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import { addPage, colours, drawLogo, openSheet, pageBox, pageWidth, write } from "#shared/pdf/sheet.ts";
import { type ShiftHours, writeHours } from "../shift.ts";

/** What the certificate shows. */
export type HoursDocument = {
  readonly organisation: Organisation;
  readonly name: string;
  readonly reference: string;
  readonly shifts: readonly ShiftHours[];
  /** YYYY-MM-DD, the day on which it is drawn. */
  readonly day: string;
  readonly madeAt: Date;
  readonly look?: DocumentLook;
};

const line = 16;

/** '1 hour', '2.5 hours' */
const describeHours = (minutes: number) =>
  plural(minutes / 60, { one: "1 hour", other: `${writeHours(minutes)} hours` });

/** A certificate of a volunteer's hours. Called in a worker. */
export function drawHours(content: HoursDocument): Promise<Buffer> {
  const { organisation, name, shifts, day, madeAt, reference, look } = content;
  const title = `Hours of ${name} as a volunteer`;
  const sheet = openSheet({ title, author: organisation.name, madeAt, look });
  const place = { left: pageBox.left, width: pageWidth } as const;
  const minutes = shifts.reduce((sum, shift) => sum + shift.minutes, 0);
  const roles = [...new Set(shifts.map(({ role }) => role))];
  const [first, last] = [shifts[0]!.day, shifts.at(-1)!.day];
  let y = write(sheet, "H1", "Certificate of volunteering", {
    ...place,
    face: "bold",
    size: 26,
    top: drawLogo(sheet, sheet.look, { name: organisation.name, top: 60 }),
    colour: colours.ink,
  });
  y = write(sheet, "P", organisation.name, { ...place, face: "bold", size: 13, top: y + 6, colour: colours.tile });
  // A name from right to left at the beginning would turn the sentence round.
  const done = `We confirm that ${name} volunteered with us for ${describeHours(minutes)}`;
  const sentence =
    first === last ? `${done} on ${formatDay(first)}.` : `${done} between ${formatDay(first)} and ${formatDay(last)}.`;
  const listed = formatList(roles, "and");
  const inRoles = plural(roles.length, { one: `Role: ${listed}`, other: `Roles: ${listed}` });
  const text = { ...place, face: "regular", size: 13, colour: colours.ink } as const;
  y = write(sheet, "P", sentence, { ...text, top: y + 22 });
  y = write(sheet, "P", inRoles, { ...text, top: y + 6 });
  y = write(sheet, "H2", "Shifts", { ...place, face: "bold", size: 15, top: y + 24, colour: colours.ink }) + 6;
  /** Where two lines fit: here or, if they do not, on a new page. */
  const placeTwoLines = (top: number) => {
    if (top + 2 * line <= pageBox.bottom) return top;
    addPage(sheet);
    return pageBox.top;
  };
  for (const shift of shifts) {
    y = placeTwoLines(y);
    const row = `${formatDay(shift.day)}: ${shift.title}, ${shift.role}, ${describeHours(shift.minutes)}`;
    y = write(sheet, "P", row, { ...place, face: "regular", size: 11, top: y, colour: colours.ink }) + 4;
  }
  const made = `Issued on ${formatDay(day)} from the hours that ${organisation.name} recorded. Application ${reference}.`;
  write(sheet, "P", made, { ...place, face: "regular", size: 10, top: placeTwoLines(y + 18), colour: colours.muted });
  return sheet.finish(`${organisation.name} · ${reference}`);
}
