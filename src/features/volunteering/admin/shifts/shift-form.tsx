import { SelectField, TextArea, TextField } from "#admin/ui/form.tsx";
import { clockIn, dayInSydney, formatDay } from "#shared/language.ts";
import type { ShiftDetails } from "../../server/shifts.ts";
import { wantedField } from "./shift-actions.ts";
import type { ShiftChoices } from "./shifts-part.ts";

const timeOf = (at: Date) => clockIn("Australia/Sydney", at).slice(11, 16);

/** The fields of a shift: a new one, or one that changes. */
export function ShiftFormFields({ choices, shift }: { choices: ShiftChoices; shift?: ShiftDetails }) {
  // The shift's own event may be over, or not published any more.
  const isOwnMissing = shift?.eventTitle && !choices.events.some(({ id }) => id === shift.eventId);
  const events = [
    { value: "", label: "No event" },
    ...(isOwnMissing ? [{ value: String(shift.eventId), label: shift.eventTitle! }] : []),
    ...choices.events.map(({ id, title, startsAt }) => ({
      value: String(id),
      label: `${title}, ${formatDay(dayInSydney(startsAt), { day: "numeric", month: "short", year: "numeric" })}`,
    })),
  ];
  const wantedOf = (role: string) => shift?.roles.find((each) => each.role === role)?.wanted;
  return (
    <>
      <TextField name="title" label="Name" defaultValue={shift?.title} autoComplete="off" />
      <SelectField name="event" label="Event" options={events} defaultValue={String(shift?.eventId ?? "")} />
      <TextField name="place" label="Where" isOptional defaultValue={shift?.place} autoComplete="off" />
      <TextField name="day" label="Day" type="date" defaultValue={shift && dayInSydney(shift.startsAt)} />
      <div className="frow shift-times">
        <TextField name="from" label="From" type="time" defaultValue={shift && timeOf(shift.startsAt)} />
        <TextField
          name="until"
          label="Until"
          hint="If it is before the start, the shift ends the next day."
          type="time"
          defaultValue={shift && timeOf(shift.endsAt)}
        />
      </div>
      <fieldset className="field">
        <legend className="legend">How many people you need</legend>
        <div className="wanted">
          {choices.roles.map(({ title, needsCheck }) => (
            <TextField
              key={title}
              name={wantedField(title)}
              label={title}
              hint={needsCheck ? "Check needed" : undefined}
              inputMode="numeric"
              defaultValue={wantedOf(title) || undefined}
              autoComplete="off"
            />
          ))}
        </div>
      </fieldset>
      <TextArea name="notes" label="What volunteers should know" isOptional defaultValue={shift?.notes} rows={3} />
    </>
  );
}
