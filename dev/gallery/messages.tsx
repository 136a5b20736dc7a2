import { Icon, type IconName } from "#shared/ui/icon.tsx";
import { Part, Sample } from "./part.tsx";

const notes = [
  ["", "info", "All fields are needed before you go on."],
  ["good", "check", "Your message was sent. We answer within two working days."],
  ["warn", "clock", "The session ends in five minutes. Save what you typed."],
  ["bad", "alert", "The card was declined. Nothing was charged."],
] as const satisfies readonly (readonly [string, IconName, string])[];

export function Messages() {
  return (
    <Part id="messages" title="Messages">
      <Sample title="Tags" note="A dot and a word; never the colour alone.">
        <div className="row">
          <span className="tag ok">Paid</span>
          <span className="tag warn">Pending</span>
          <span className="tag bad">Failed</span>
          <span className="tag">Draft</span>
        </div>
      </Sample>
      <Sample title="Notes">
        <div className="stack">
          {notes.map(([kind, icon, text]) => (
            <p key={kind} className={`note ${kind}`}>
              <Icon name={icon} />
              <span>{text}</span>
            </p>
          ))}
        </div>
      </Sample>
      <div className="pairs">
        <Sample title="Toasts" note="At the bottom right for ten seconds.">
          <div className="stack">
            <Toast tone="good" text="Password changed" />
            <Toast tone="bad" text="Please complete the reCAPTCHA verification" />
          </div>
        </Sample>
        <Sample title="Loading" note="Over the whole page, after 150 milliseconds.">
          <div className="stage">
            <div className="loader">
              <span className="loader-star star" />
              <span>Loading</span>
            </div>
          </div>
        </Sample>
        <Sample title="A dialog">
          <dialog open aria-labelledby="dialog-title">
            <div className="strip-ajrak" aria-hidden="true" />
            <div className="dlg stack">
              <h4 id="dialog-title">Forgot your password?</h4>
              <p className="muted">Enter your email, and we send you a code.</p>
              <button type="button" className="btn">
                Send the code
              </button>
            </div>
          </dialog>
        </Sample>
        <Sample title="An alert">
          <dialog open className="alert-dialog good" role="alertdialog" aria-labelledby="alert-text">
            <p id="alert-text">Volunteer created successfully</p>
            <button type="button" className="btn">
              OK
            </button>
          </dialog>
        </Sample>
      </div>
    </Part>
  );
}

function Toast({ tone, text }: { tone: "good" | "bad"; text: string }) {
  return (
    <div className={`toast ${tone}`}>
      <p>{text}</p>
      <button type="button" aria-label={`Dismiss: ${text}`}>
        ×
      </button>
    </div>
  );
}
