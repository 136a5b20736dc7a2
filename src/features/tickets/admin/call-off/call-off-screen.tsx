import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Note } from "#admin/ui/note.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { EventScreenHead, mayPlan } from "../ticket-types/types-screen.tsx";
import { DecisionPanel } from "./call-off-decision.tsx";
import { CallOffForm, LastDecision, Outlook } from "./call-off-form.tsx";
import type { CallOffOfEvent } from "./call-off-part.ts";
import { CalledOff } from "./call-off-progress.tsx";

/** `/admin/events/:id/call-off`: calling off an event, from the question to the last refund. */
export const callOffScreen = screen<CallOffOfEvent>({
  path: "/admin/events/:id/call-off",
  right: "events.see",
  section: "events",
  load: ({ findCallOff }, { params }) => findCallOff(params.id!),
  title: ({ event }) => `Call off ${event.title}`,
  body: (data, request) => {
    const { event, request: asked } = data;
    const isOpen = asked === null || asked.decision === "declined" || asked.decision === "withdrawn";
    return (
      <>
        <EventScreenHead event={event} here="call-off" request={request} />
        <UnshownFormMessage request={request} shown={listForms(data, request)} />
        {isOpen && (
          <>
            {asked !== null && <LastDecision asked={asked} />}
            {mayPlan(request) ? (
              <CallOffForm data={data} request={request} />
            ) : (
              <>
                <Note>Only somebody who may plan events can ask to call one off.</Note>
                <Outlook data={data} isAsked={false} />
              </>
            )}
          </>
        )}
        {asked?.decision === null && <DecisionPanel data={data} asked={asked} request={request} />}
        {asked?.decision === "approved" && <CalledOff data={data} asked={asked} request={request} />}
      </>
    );
  },
});

/** The forms of the screen, by the ends of their addresses. */
function listForms({ request: asked }: CallOffOfEvent, request: ScreenRequest): readonly string[] {
  if (asked?.decision === "approved") return [];
  if (asked?.decision !== null) return mayPlan(request) ? ["call-off", "preview"] : [];
  if (asked.requested_by === request.staff?.id) return ["withdraw"];
  return request.staff !== null && hasRight(request.staff, "refunds.make") ? ["approve", "decline"] : [];
}
