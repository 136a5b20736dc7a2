import type { ScreenRequest } from "#admin/screen.ts";
import { TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Status } from "#admin/ui/status.tsx";
import { formatDay } from "#shared/language.ts";
import type { Item } from "../server/editing/items.ts";
import type { PublishingCheck } from "./checks.ts";
import type { EditedItem } from "./editing-reads.ts";
import { describeTime } from "./item-words.ts";

export type PublishState = {
  readonly isNew: boolean;
  /** Whether visitors see the latest version. */
  readonly isPublished: boolean;
  /** How it can be put out of sight, or back. */
  readonly away?: "take-down" | "put-aside" | "bring-back" | undefined;
  readonly scheduled: Item["scheduled"];
};

/** The buttons of the editor. Each saves what was typed first. Enter presses the first one. */
export function PublishPanel({ state, request }: { state: PublishState; request: ScreenRequest }) {
  const { isNew, isPublished, away, scheduled } = state;
  const isTimeAsked = request.form?.errors.on !== undefined || request.form?.errors.at !== undefined;
  return (
    <section className="panel" aria-labelledby="publishing">
      <h2 id="publishing">Save and publish</h2>
      {scheduled !== null && (
        <p className="small">
          Visitors will see version {scheduled.version} from {describeTime(scheduled.at)}, Sydney time.{" "}
          <button className="lk" type="submit" name="next" value="unschedule">
            Cancel this time
          </button>
        </p>
      )}
      <div className="acts publish-acts">
        <button className="btn quiet" type="submit" name="next" value="save">
          {isNew ? "Save as a draft" : "Save"}
        </button>
        <button className="btn" type="submit" name="next" value="publish">
          {isPublished ? "Save and publish" : "Publish now"}
        </button>
      </div>
      <details open={isTimeAsked}>
        <summary>Publish at a time</summary>
        <div className="frow">
          <TextField name="on" label="Day" type="date" />
          <TextField name="at" label="Time in Sydney" type="time" />
        </div>
        <button className="btn quiet" type="submit" name="next" value="schedule">
          Publish at this time
        </button>
      </details>
      {away !== undefined && <Away {...awayWords[away]} next={away} />}
    </section>
  );
}

const awayWords = {
  "take-down": {
    title: "Take down",
    text: "Visitors will no longer see it. Every version stays here, and you can publish it again.",
    button: "Take it down",
    look: "danger",
  },
  "put-aside": {
    title: "Put aside",
    text: "It is no longer in the list and not counted as a draft. You find it at the filter ‘Put aside’.",
    button: "Put it aside",
    look: "quiet",
  },
  "bring-back": {
    title: "Bring back",
    text: "It was put aside. It comes back to the list, as a draft. Publishing it does so too.",
    button: "Bring it back",
    look: "quiet",
  },
} as const;

function Away(props: { title: string; text: string; button: string; look: string; next: string }) {
  const { title, text, button, look, next } = props;
  return (
    <details>
      <summary>{title}</summary>
      <p className="small">{text}</p>
      <button className={`btn ${look}`} type="submit" name="next" value={next}>
        {button}
      </button>
    </details>
  );
}

export function BeforePublishing({ checks }: { checks: readonly PublishingCheck[] }) {
  return (
    <section className="panel" aria-labelledby="checks">
      <h2 id="checks">Before you publish</h2>
      {checks.length === 0 ? (
        <p className="small">
          <Status look="ok">Nothing is missing.</Status>
        </p>
      ) : (
        <ul className="small check-list">
          {checks.map(({ text, field, isNeeded }) => (
            <li key={text}>
              <Icon name={isNeeded ? "alert" : "info"} />
              <a href={`#content-${field}`}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function PreviewPanel({ edited: { preview, version } }: { edited: EditedItem }) {
  return (
    <section className="panel" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <p className="small">
        <a href={preview.path} target="_blank" rel="noreferrer">
          See version {version.number} on its page<span className="sr"> (opens in another window)</span>
        </a>
        . Anyone with this link can see it, until {formatDay(preview.lastDay)}. It shows what was last saved.
      </p>
    </section>
  );
}
