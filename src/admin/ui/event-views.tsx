import type { CallOff } from "#shared/events/event.ts";
import { hasRight, type Right, type StaffMember } from "../rights.ts";
import { SavedFilters } from "./filters.tsx";
import { Note } from "./note.tsx";
import { Status } from "./status.tsx";

/** The screens of one event, by the end of their address below /admin/events/{id}. */
const views = {
  details: { label: "Details", end: "", right: "events.see" },
  tickets: { label: "Tickets", end: "/tickets", right: "events.see" },
  codes: { label: "Discount codes", end: "/codes", right: "events.see" },
  give: { label: "Give or sell", end: "/give", right: "events.see" },
  waiting: { label: "Waiting list", end: "/waiting", right: "events.see" },
  door: { label: "Door", end: "/door", right: "events.see" },
  report: { label: "Report", end: "/report", right: "events.see" },
  emails: { label: "Emails", end: "/emails", right: "events.see" },
  moved: { label: "Tell holders", end: "/moved", right: "events.see" },
  "call-off": { label: "Call off", end: "/call-off", right: "events.see" },
} as const satisfies Record<string, { label: string; end: string; right: Right }>;

export const eventScreenPath = (id: number | string, view: keyof typeof views) =>
  `/admin/events/${id}${views[view].end}`;

/**
 * Links between the screens of one event, of which each feature has its own, and whether it is called off. `id` is that
 * of the event's screen.
 */
export function EventViews({ id, here, staff, callOff }: EventViewsProps) {
  const seen = Object.entries(views).filter(([, { right }]) => staff !== null && hasRight(staff, right));
  return (
    <>
      <SavedFilters
        label="Parts of the event"
        saved={seen.map(([name, { label, end }]) => ({
          label,
          path: `/admin/events/${id}${end}`,
          isHere: name === here,
        }))}
      />
      {callOff !== null && here !== "call-off" && (
        <div className="editor-note">
          <Note look="warn" title={callOffWords[callOff]}>
            {callOff === "called_off" ? "It does not take place." : "Nobody can buy tickets until somebody decides."}{" "}
            <a href={eventScreenPath(id, "call-off")}>
              {callOff === "called_off" ? "See the refunds" : "See who asked, and why"}
            </a>
          </Note>
        </div>
      )}
    </>
  );
}

const callOffWords = {
  called_off: "Called off",
  asked: "Calling off waits for approval",
} as const satisfies Record<NonNullable<CallOff>, string>;

/** Whether an event is called off, in a list. */
export function CallOffStatus({ callOff }: { callOff: NonNullable<CallOff> }) {
  return <Status look={callOff === "asked" ? "act" : "off"}>{callOffWords[callOff]}</Status>;
}

type EventViewsProps = {
  readonly id: number;
  readonly here: keyof typeof views;
  readonly staff: StaffMember | null;
  readonly callOff: CallOff;
};
